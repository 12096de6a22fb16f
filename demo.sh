#!/usr/bin/env bash
# Installs what is missing, builds, and does the main job on this machine: calibrates it, predicts, measures,
# validates the prediction and draws both. The results stay in demo-output/.
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

isocast_say "calibrating this machine (about a minute)"
"$isocast" calibrate --processes "$processes" --budget 60s -o "$out/here.yaml"

isocast_say "where the time of a Gaussian elimination will go"
"$isocast" explain gaussian-elimination "$out/here.yaml" --at N=1000 --to "$processes"

isocast_say "measuring Gaussian elimination"
rm -f "$out/runs.csv"
"$isocast" measure ge --machine "$out/here.yaml" --systems "$processes" \
    --sizes 200,300,400,600,800,1000,1200,1600 --repetitions 9 -o "$out/runs.csv"

isocast_say "predicted against measured"
"$isocast" validate gaussian-elimination "$out/here.yaml" "$out/runs.csv"
"$isocast" validate gaussian-elimination "$out/here.yaml" "$out/runs.csv" --format json -o "$out/validation.json"

isocast_say "the size that keeps an efficiency of 0.7, also on processors that are not here"
# Exit status 4 says that a row has no solution, which is an answer too.
"$isocast" predict gaussian-elimination "$out/here.yaml" --efficiency 0.7 --to 2,4,8 \
    --format json -o "$out/prediction.json" || [ $? -eq 4 ]
"$isocast" predict gaussian-elimination "$out/here.yaml" --efficiency 0.7 --to 2,4,8 || [ $? -eq 4 ]

isocast_say "plots"
for format in svg png pdf; do
    "$isocast" plot "$out/validation.json" -o "$out/validation.$format"
done

isocast_say "done"
cat <<END
picture      $out/validation.png (also .svg, .pdf)
machine      $out/here.yaml, samples beside it
runs         $out/runs.csv
validation   $out/validation.json
END
