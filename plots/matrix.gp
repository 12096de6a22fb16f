# psi between all pairs: a line for each system that it is taken from, over the larger systems that it leads to.
# Variables: points (a CSV file), groups, groups_all, count, ticks, those of the quantity psi, and those of style.gp.
psi_high = 1.05*larger(1, psi_most)
set title said[1].(groups_all > groups ? sprintf(" (%d of %d lines)", int(groups), int(groups_all)) : "")
unset xtics
set xtics nomirror out rotate by (ticks > 12 ? -40 : 0) ()
do for [i=1:ticks] { set xtics add (tick_name(i) tick_at(i)) }
set xrange [0.5:count + 0.5]
set yrange [0:psi_high]
set format y "%g"
set xlabel "to this system, the smallest first"."\n"
set ylabel "scalability psi (1)"
if (groups == 0) { set label 1 "psi needs two systems that have a solution" at graph 0.5,0.5 center }
plot for [i=1:groups] points using (column("group") == i ? column("x") : NaN):(column("psi")) with linespoints linetype i title "from ".label_of(i), \
     for [i=1:(groups == 0 ? 1 : 0)] 2*psi_high notitle
