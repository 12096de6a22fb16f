# E over N: predicted as lines, measured (or simulated) as points with the range of the runs; the values of E that are held as dashed lines; and on these the
# N predicted, with its interval, and the N measured.
# Variables: points, curves, routes (CSV files; routes: a size at a held E, with columns group, E_held, N_predicted, N_low, N_high, N_measured), groups, groups_all,
# held_count, held_1 and so on, simulated, those of the quantity E, and those of style.gp.
how = (simulated ? "simulated" : "measured")
held(i) = value(sprintf("held_%d", i))
set title said[1].(groups_all > groups ? sprintf(" (%d of %d systems)", int(groups), int(groups_all)) : "")
if (x_high > 100*x_low) { set logscale x 10; set xtics nomirror out autofreq; set format x "%g" } else { set logscale x 2 }
set xlabel "problem size ".size_name."\n"
set xrange [x_low:x_high]
set yrange [0:1.05*(E_most > 1 ? E_most : 1)]
set format y "%g"
y_name = "speed-efficiency E = W/(T C) (1)"
if (coloured) { set ylabel y_name } else { set xlabel "problem size ".size_name.", upwards: ".y_name."\n" }
do for [i=1:held_count] { set label i sprintf("E = %.4g", held(i)) at graph 0.01, first held(i) offset 0,0.5 }
plot for [i=1:held_count] held(i) with lines linetype 8 dashtype 2 linewidth 1 title (i == 1 ? "E that is held" : ""), \
     for [i=1:groups] curves using (column("group") == i ? column("N") : NaN):(column("E")) with lines linetype i title label_of(i)." predicted", \
     for [i=1:groups] points using (column("group") == i ? column("N") : NaN):(column("E")):(drawable(column("E")*column("T")/column("T_max"))):(drawable(column("E")*column("T")/column("T_min"))) with yerrorbars linetype i pointsize 0.6 title label_of(i)." ".how, \
     routes using (column("N_predicted")):(column("E_held")):(column("N_low")):(column("N_high")) with xerrorbars linetype 7 linewidth 2.2 pointtype 4 pointsize 1.6 title "N predicted, with its 90 % interval", \
     routes using (column("N_measured")):(column("E_held")) with points linetype 7 pointtype 2 pointsize 1.8 linewidth 2.2 title "N ".how
