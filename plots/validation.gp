# Predicted (lines) against measured (points with the range of the runs) T and E over N, by system; and, where there
# are several systems, psi by the three routes.
# Variables: points, curves, routes (CSV files), groups, groups_all, route_count, ticks, simulated (the runs), those of the quantities E,
# psi, psi_direct and psi_predicted with its interval, and those of style.gp.
has_routes = (route_count > 0 && psi_count + psi_direct_count > 0)
psi_high = 1.05*larger(1, larger(larger(psi_most, psi_direct_most), larger(psi_predicted_most, psi_predicted_high_most)))
system_at(number) = (number > 1 ? number - 1 : NaN)
# Lines of one system have the colour of its points, which are named; text has no colours, so both are named there.
line_name(i) = (coloured ? "" : label_of(i)." predicted")
point_name(i) = label_of(i).(coloured ? "" : (simulated ? " simulated" : " measured"))
set multiplot layout 1,(has_routes ? 3 : 2) title said[1].(groups_all > groups ? sprintf(" (%d of %d systems)", int(groups), int(groups_all)) : "")
# Powers of 2 as marks of a narrow range; of a wide one they would stand on each other.
if (x_high > 100*x_low) { set logscale x 10; set xtics nomirror out autofreq; set format x "%g" } else { set logscale x 2 }
set xlabel "problem size ".size_name."\n"
set xrange [x_low:x_high]
set logscale y
y_name = "execution time T (s)"
if (coloured) { set ylabel y_name } else { set title y_name }
set format y "%g"
eval decade_ticks("points", "T")
plot for [i=1:groups] curves using (column("group") == i ? column("N") : NaN):(column("T")) with lines linetype i title line_name(i), \
     for [i=1:groups] points using (column("group") == i ? column("N") : NaN):(column("T")):(column("T_min")):(column("T_max")) with yerrorbars linetype i title point_name(i), \
     NaN with lines linetype 7 title (coloured ? "predicted" : "")
unset logscale y
unset ytics
set ytics nomirror out autofreq
set format y "%g"
set yrange [0:*]
# The same systems as on the left.
if (has_routes && coloured) { set key maxrows 3 }
y_name = "speed-efficiency E = W/(T C) (1)"
if (coloured) { set ylabel y_name } else { set title y_name }
plot for [i=1:groups] curves using (column("group") == i ? column("N") : NaN):(column("E")) with lines linetype i title line_name(i), \
     for [i=1:groups] points using (column("group") == i ? column("N") : NaN):(column("E")):(drawable(column("E")*column("T")/column("T_max"))):(drawable(column("E")*column("T")/column("T_min"))) with yerrorbars linetype i title point_name(i), \
     for [i=1:(E_most > 1 ? 1 : 0)] (E_most > 1 ? 1 : NaN) with lines linetype 7 dashtype 2 title "E = 1", \
     NaN with lines linetype 7 title (coloured ? "predicted" : "")
if (has_routes) {
    unset logscale x
    set xrange [0.5:route_count + 0.5]
    set yrange [0:psi_high]
    unset xtics
    set xtics nomirror out rotate by (ticks > 4 ? -40 : 0) ()
    do for [i=1:ticks] { set xtics add (tick_name(i) tick_at(i)) }
    set xlabel "system, from the one before it"."\n"
    y_name = "scalability psi (1)"
    if (coloured) { set ylabel y_name } else { set title y_name }
    plot for [i=1:(psi_predicted_low_count > 0 ? 1 : 0)] routes using (system_at(column("number"))):(column("psi_predicted")):(column("psi_predicted_low")):(column("psi_predicted_high")) with yerrorbars linetype 3 pointtype 0 title "90 % interval", \
         routes using (system_at(column("number"))):(column("psi_predicted")) with linespoints linetype 3 title "predicted", \
         for [i=1:(psi_count > 0 ? 1 : 0)] routes using (system_at(column("number"))):(column("psi")) with points linetype 1 pointsize 1.4 title "by the N of the trend of E", \
         for [i=1:(psi_direct_count > 0 ? 1 : 0)] routes using (system_at(column("number"))):(column("psi_direct")) with points linetype 2 pointsize 1.4 title "by the N of runs"
}
unset multiplot
