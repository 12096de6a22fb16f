#!/usr/bin/env bash
# Installs what is missing, builds, and shows what isocast is for, in two acts: on this machine, where the prediction is held against
# runs, and on machines that are not here. The results stay in demo-output/.
set -euo pipefail
cd "$(dirname "$0")"
. tools/setup.sh

isocast_require_packages
isocast_build build/release
isocast=build/release/bin/isocast
out=demo-output
mkdir -p "$out"
rm -f "$out"/runs.csv "$out"/simulated.csv "$out"/messages.txt

# A step and what it does, in two sentences.
step() {
    isocast_say "$1"
    printf '%s\n\n' "$2"
}

# Where other programs disturbed the runs, that is stated once, with what was done about it.
report_disturbed() {
    local used states slowed=0 runs=0
    states=$(grep -o 'in [0-9]* of [0-9]* launches short messages took [0-9.]* times as long' "$out/messages.txt" | head -n 1 || true)
    used=$(grep -o 'other programs used [0-9]* % of the processors' "$out/messages.txt" | head -n 1 || true)
    read -r slowed runs < <(sed -n 's/.*slowed \([0-9]*\) of \([0-9]*\) runs.*/\1 \2/p' "$out/messages.txt") || true
    if [ -z "$used$states" ] && [ $((10 * ${slowed:-0})) -le "${runs:-0}" ]; then return 0; fi
    printf '\nThis machine was not quiet. '
    if [ -n "$used" ]; then printf 'While it was calibrated, %s. ' "$used"; fi
    if [ -n "$states" ]; then printf 'Meanwhile, %s. These launches do not count. ' "$states"; fi
    if [ "${slowed:-0}" -gt 0 ]; then
        printf '%s of %s runs were slowed. They do not count, and others were made in their place. ' "$slowed" "$runs"
    fi
    printf '\n'
}

act_one() {
    local kernel=gaussian-elimination machine=$out/here.yaml E wanted
    step "Act one: this machine. 1. Calibration (45 seconds)" \
        "Benchmarks measure how long this machine computes and communicates, on one process and on two.
Nothing is run yet of the sizes that are predicted in step 2."
    "$isocast" calibrate --for "$kernel" --processes 1,2 --budget 45s -o "$machine" 2>>"$out/messages.txt" || {
        cat "$out/messages.txt" >&2
        return 1
    }

    # Values that two processes reach on this machine, as high as they go.
    for wanted in 0.4,0.5,0.6 0.2,0.3,0.4 0.05,0.1,0.15; do
        E=$wanted
        if "$isocast" predict "$kernel" "$machine" --marked-speed peak --efficiency "$E" --to 1,2 -q >/dev/null; then break; fi
    done
    step "2. Prediction: how large must the problem be?" \
        "A Gaussian elimination of N equations that is too small wastes two processors: they wait for each other. The
speed-efficiency E says how well they are used: 1 is as fast as they can compute, 0.5 half of it. So which N gives
E = ${E//,/, }? N_low to N_high is the 90 % interval. psi is the scalability: psi = 1 means that twice the
processors do twice the work as efficiently; psi = 0.01 means that the work must grow 100 times as much as that."
    "$isocast" predict "$kernel" "$machine" --marked-speed peak --efficiency "$E" --to 1,2 -q || [ $? -eq 4 ]

    step "3. Measurement: the runs themselves find N (about 20 seconds)" \
        "Now the program runs, at sizes that close in on each E. The prediction is not touched."
    "$isocast" measure ge --machine "$machine" --marked-speed peak --systems 1,2 --find "E=$E" --sizes 16..512*2 \
        --repetitions 3 --calm --tolerance 0.03 --limit 100ms -o "$out/runs.csv" >"$out/found.txt" 2>>"$out/messages.txt" || [ $? -eq 4 ]

    step "4. Predicted against measured" "What came true of the prediction of step 2?"
    compare "$machine" "$E" efficiency
    report_disturbed
    if missed; then
        step "The prediction missed. Did the machine change between steps 1 and 3? (30 seconds)" \
            "It is calibrated once more, and the same runs are held against what it is now."
        "$isocast" calibrate --for "$kernel" --processes 1,2 --budget 30s -o "$out/again.yaml" 2>>"$out/messages.txt"
        compare "$out/again.yaml" "$E" again
        printf '\nWhere this table is the better one, the machine changed: what steps 1 and 2 say was true of another minute.\n'
    fi
    printf '\nThe picture: %s\n' "$out/efficiency.png"
}

# compare MACHINE E NAME: the table of N, and its picture.
compare() {
    local validate=("$isocast" validate gaussian-elimination "$1" "$out/runs.csv" --marked-speed peak --calm --efficiency "$2") format
    "${validate[@]}" --only sizes 2>>"$out/messages.txt" | tee "$out/sizes.txt"
    "${validate[@]}" --format json -o "$out/$3.json" -q
    for format in svg png pdf; do
        "$isocast" plot "$out/$3.json" -o "$out/$3.$format"
    done
}

# Whether fewer than half of the measured N lie in their intervals.
missed() {
    local inside of
    read -r inside of < <(sed -n 's/^\([0-9]*\) of \([0-9]*\) measured N lie.*/\1 \2/p' "$out/sizes.txt") || return 1
    [ $((2 * inside)) -lt "$of" ]
}

act_two() {
    local kernel=gaussian-elimination platform=fat-tree-128 systems=4,8,16,32 E=0.1
    step "Act two: machines that are not here. 5. A cluster from its data sheet" \
        "The file specs/platforms/$platform.yaml says what a vendor says: 128 nodes of 20 Gflop/s, links of 100 Gbit/s.
Which N holds E = $E on 4, 8, 16 and 32 nodes? The steps of the program are timed in a simulator, and the formulas
of the program add them up."
    "$isocast" predict "$kernel" --platform "$platform" --efficiency "$E" --to "$systems" -q
    "$isocast" predict "$kernel" --platform "$platform" --efficiency "$E" --to "$systems" --format json -o "$out/cluster.json" -q

    step "6. The same N, found by simulating the whole program (about 20 seconds)" \
        "This shows whether the formulas add up; \"measured\" means simulated here. Prediction and runs use one simulator, so
nothing is shown of how a real network differs from its data sheet: README.md has the errors against real machines."
    "$isocast" measure ge --platform "$platform" --systems "$systems" --find "E=$E" --sizes 200..1600*2 --tolerance 0.02 \
        -o "$out/simulated.csv" -q >/dev/null
    "$isocast" validate "$kernel" --platform "$platform" "$out/simulated.csv" --efficiency "$E" --only sizes -q
    for format in svg png pdf; do
        "$isocast" plot "$out/cluster.json" -o "$out/cluster.$format"
    done

    step "7. Which of three offers to buy?" \
        "Three vendors offer nodes at a price, and 500 000 EUR are there. The program is a heat equation on 20000 x 20000 points."
    "$isocast" offers docs/examples/offers/heat.yaml docs/examples/offers/tender.yaml --budget 500kEUR --at N=20000 |
        sed -n 1,11p
}

if [ "$(nproc)" -ge 2 ]; then
    act_one
else
    isocast_say "Act one is left out: it runs on two processors, and this machine has one"
fi
act_two

isocast_say "done: what is in $out"
cat <<END
efficiency.png   Act one. Across: the problem size N. Upwards: the speed-efficiency E. Lines are predicted, small points are
                 measured, blue on one process and orange on two. On each dashed line, an E that is held, the square is the
                 N that was predicted, with its interval, and the cross is the N that the runs found.
cluster.png      Act two, step 5. Left: N over the number of nodes. Right: psi from each system to the next.
here.yaml        What this machine takes to compute and to communicate. Every number has a unit and an error.
runs.csv         Every run of step 3; simulated.csv has those of step 6.

README.md goes on from here: your own program, your own cluster, your own tender.
END
