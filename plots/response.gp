# Response curves of a sweep in which one name varies: N and T, or T and E, over its values; a line for each system and target.
# Variables: points (a CSV file), groups, groups_all, x_name, x_log (0: no, 1: logarithmic, 2: the same over few decades),
# first_name, second_name, log_from, those of the quantities first and second, and those of style.gp.
is_wide(least, most) = (least > 0 && most/least >= log_from)
first_log = is_wide(first_least, first_most)
second_log = is_wide(second_least, second_most)
set multiplot layout 1,2 title said[1].(groups_all > groups ? sprintf(" (%d of %d lines)", int(groups), int(groups_all)) : "")
unset xtics
set xtics nomirror out autofreq
if (x_log) { set logscale x }
# An axis of few decades is reported more places than their powers of ten.
if (x_log > 1) { do for [k=-12:15] { set xtics add (10.0**k, 2*10.0**k, 5*10.0**k) } }
# To its ends, and a trifle farther for the numbers there.
stats points using (column("x")) nooutput
if (STATS_records > 0 && STATS_max > STATS_min) {
    trifle = 1e-6*(STATS_max - STATS_min)
    set xrange [STATS_min - (STATS_min > trifle ? trifle : 0):STATS_max + trifle]
} else {
    set autoscale xfix
}
set format x "%g"
set format y "%g"
set xlabel said[x_name]."\n"
empty(count) = (count > 0 ? 0 : 1)
if (coloured) { set ylabel said[first_name] } else { set title said[first_name] }
if (first_log) { set logscale y }
if (first_count == 0) { set yrange [0:1]; set label 1 "no row has a solution" at graph 0.5,0.5 center }
plot for [i=1:groups] points using (column("group") == i ? column("x") : NaN):(column("first")) with lines linetype i title label_of(i), \
     for [i=1:empty(first_count)] 2 notitle
unset label 1
unset logscale y
set autoscale y
if (coloured) { set ylabel said[second_name] } else { set title said[second_name] }
if (second_log) { set logscale y }
if (second_count == 0) { set yrange [0:1]; set label 1 "no row has a solution" at graph 0.5,0.5 center }
plot for [i=1:groups] points using (column("group") == i ? column("x") : NaN):(column("second")) with lines linetype i title label_of(i), \
     for [i=1:empty(second_count)] 2 notitle
unset multiplot
