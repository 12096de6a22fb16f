#!/usr/bin/env bash
# Installs what is missing, builds, and does the main job: calibrates this machine, predicts, measures, validates the
# prediction; then predicts for a cluster that is not here. Draws both. The results stay in demo-output/.
set -euo pipefail
cd "$(dirname "$0")"
. tools/setup.sh

isocast_require_packages
isocast_build build/release
isocast=build/release/bin/isocast
out=demo-output
mkdir -p "$out"

# Two processes at most: more would share processors with the scheduler, and that is what would be measured.
processors=$(nproc)
processes=1
[ "$processors" -ge 2 ] && processes=1,2

cat <<END

The question: how well does a parallel program use its processors, and how large must its problem be to use more of
them as well? isocast answers with the speed-efficiency E = W/(T C): the work W of the program (flop) over its time T
is the speed that it reaches, and C is the speed that the processors were measured to have in this program (their marked speed).
END

isocast_say "1. calibrating this machine for Gaussian elimination (about a minute)"
"$isocast" calibrate --for gaussian-elimination --processes "$processes" --budget 60s -o "$out/here.yaml"

isocast_say "2. where the time of a Gaussian elimination will go, by that calibration"
"$isocast" explain gaussian-elimination "$out/here.yaml" --at N=1000 --to "$processes"

isocast_say "3. running it: 8 sizes on each number of processes, 9 times each"
rm -f "$out/runs.csv"
"$isocast" measure ge --machine "$out/here.yaml" --systems "$processes" \
    --sizes 200,300,400,600,800,1000,1200,1600 --repetitions 9 -o "$out/runs.csv"

isocast_say "4. predicted against measured"
"$isocast" validate gaussian-elimination "$out/here.yaml" "$out/runs.csv"
"$isocast" validate gaussian-elimination "$out/here.yaml" "$out/runs.csv" --format json -o "$out/validation.json"

isocast_say "5. a cluster that is not here: Sunwulf, whose published figures come with isocast"
predict=("$isocast" predict gaussian-elimination-published sunwulf --base C2 --at N=310 --to C4,C8,C16,C32)
"${predict[@]}"
"${predict[@]}" --format json -o "$out/prediction.json"

isocast_say "6. pictures"
for format in svg png pdf; do
    "$isocast" plot "$out/validation.json" -o "$out/validation.$format"
    "$isocast" plot "$out/prediction.json" -o "$out/prediction.$format"
done

isocast_say "done: what to look at"
cat <<END
$out/validation.png   Step 4 drawn. Points were measured, lines were predicted before. Left: the time T.
                             Right: the speed-efficiency E. Where points and lines agree, the machine file can be
                             trusted for this program. "mean" of T in the last table of step 4 says by how many per
                             cent the predicted times are off on average; "spread" says how far repeated runs of one
                             size differ, and no prediction can be nearer than that.
$out/prediction.png   Step 5 drawn. Left: N', the matrix rank at which the larger system is as efficient as C2 is
                             at N = 310. Right: the scalability psi, from 0 to 1: at psi = 1 the work may grow just as
                             the processors do; at psi = 0.25 it must grow four times as much.
$out/here.yaml        the machine file: what communication and computation take here, with errors
$out/runs.csv         every run

For a machine of your own or one that you mean to buy, README.md goes on from here.
END
