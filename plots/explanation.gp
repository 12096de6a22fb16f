# The share of each part of T, by system, and what moves N (or T) on the last system that has a solution.
# Variables: points, marks, curves (drivers) (CSV files), groups, solved, share_low, share_high, systems, ticks, drivers,
# drivers_of_T, driven_system, elasticities (the range of their values), kinds, and those of style.gp.
set multiplot layout 1,2 title said[1]
set xrange [0.4:systems + 0.6]
# Terms that take time off hang below 0; the others come to more than 100 % then.
set yrange [(share_low < 0 ? 1.05*share_low : 0):(share_high > 100.0001 ? share_high - 0.05*share_low : 100)]
if (share_low < 0) { set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead linetype 7 linewidth 0.8 }
set xlabel "system"."\n"
y_name = "share of the execution time T (%)"
if (coloured) { set ylabel y_name } else { set title y_name }
unset xtics
set xtics nomirror out rotate by (ticks > 6 ? -40 : 0) ()
do for [i=1:ticks] { set xtics add (tick_name(i) tick_at(i)) }
set style fill solid 0.85
if (solved == 0) { set label 1 "no system has a solution" at graph 0.5,0.5 center }
if (coloured) {
    plot for [i=1:groups] points using (column("group") == i ? column("x") : NaN):(0.5*(column("low") + column("high"))):(column("x") - 0.4):(column("x") + 0.4):(column("low")):(column("high")) with boxxyerror linetype colour_of(i) linewidth 0.5 title label_of(i), \
         for [i=1:kinds] marks using (column("kind") == i ? column("x") : NaN):(0.03) axes x1y2 with points linetype 7 pointtype (i == 1 ? 2 : i + 2) pointsize 1.4 title mark_title(i)
} else {
    plot for [i=1:groups] points using (column("group") == i ? column("x") : NaN):(column("share")) with points linetype colour_of(i) title label_of(i), \
         for [i=1:kinds] marks using (column("kind") == i ? column("x") : NaN):(0.03) axes x1y2 with points linetype 7 title mark_title(i)
}
unset label 1
unset arrow 1
unset title
# Few ticks: there is a long name to the left of them.
step = (drivers > 0 && elasticities > 0 ? 10.0**floor(log10(elasticities)) : 1.0)
step = (elasticities/step > 5 ? 2*step : elasticities/step > 2.5 ? step : step/2)
set xtics nomirror out rotate by 0 step
set format x "%g"
set autoscale x
set yrange [drivers + 0.6:0.4]
unset ytics
set ytics nomirror out ()
if (coloured) { set ytics font ",13" }
set ylabel ""
if (drivers > 0) {
    set xlabel sprintf("elasticity of %s on ", drivers_of_T ? "T" : size_name).said[int(driven_system)]." (% for 1 %)"."\n"
    set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead linetype 7 linewidth 0.8
    plot curves using (0.5*column("elasticity")):(column("rank")):(column("elasticity") < 0 ? column("elasticity") : 0):(column("elasticity") > 0 ? column("elasticity") : 0):(column("rank") - 0.35):(column("rank") + 0.35):ytic(said[int(column("text"))]) with boxxyerror linetype 1 linewidth 0.5 title (drivers_of_T ? "what moves T" : "what moves ".size_name)
} else {
    set xrange [0:1]
    set yrange [0:1]
    set xlabel ""
    unset xtics
    set label 1 "what moves ".size_name." is not known" at graph 0.5,0.5 center
    plot 2 notitle
}
unset multiplot
