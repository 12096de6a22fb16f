# N that holds the efficiency and psi, with bands of their intervals, over p (or C where p is not known).
# Variables: points, marks (CSV files), source, by_p, level (per cent), kinds, those of the quantities N, psi and psi_from_base with their intervals, and
# those of style.gp.
solved = N_count
psi_high = 1.05*larger(1, larger(larger(psi_most, psi_high_most), larger(psi_from_base_most, psi_from_base_high_most)))
array series[5] = [size_name." predicted", size_name." found by measuring", size_name." by the trend of E(".size_name.")", size_name." as listed", size_name." found by simulating"]
if (!exists("panels")) { set multiplot layout 1,2 title said[1] }
set logscale x 2
set xlabel (by_p ? "number of processes p" : "marked speed C (Gflop/s)")."\n"
set xrange [x_low:x_high]
y_name = "problem size ".size_name
if (coloured) { set ylabel y_name } else { set title y_name }
if (solved > 0) {
    set logscale y
    set format y "%g"
    eval decade_ticks("points", "N")
} else {
    set yrange [0:1]
    unset ytics
    set label 1 "no system has a solution" at graph 0.5,0.5 center
}
# A band needs two rows; bars show a single one, and what a terminal of characters cannot fill.
band_of = sprintf("%.4g %% interval", level)
plot for [i=1:(coloured && N_low_count > 1 ? 1 : 0)] points using (column("x")):(column("N_low")):(column("N_high")) with filledcurves linetype 1 fillstyle transparent solid 0.2 noborder title band_of, \
     for [i=1:(N_low_count > 0 ? 1 : 0)] points using (column("x")):(column("N")):(column("N_low")):(column("N_high")) with yerrorbars linetype 1 pointtype 0 title (coloured && N_low_count > 1 ? "" : band_of), \
     for [i=1:(solved > 0 ? 1 : 0)] points using (column("x")):(column("N")) with linespoints linetype 1 title series[source], \
     for [i=1:kinds] marks using (column("kind") == i ? column("x") : NaN):(0.03) axes x1y2 with points linetype 7 pointtype (i == 1 ? 2 : i + 2) pointsize 1.4 title mark_title(i)
unset logscale y
unset label 1
unset ytics
set ytics nomirror out autofreq
set format y "%g"
set yrange [0:psi_high]
y_name = "scalability psi (1)"
if (coloured) { set ylabel y_name } else { set title y_name }
if (psi_count + psi_from_base_count == 0) { set label 1 "psi needs two systems\nthat have a solution" at graph 0.5,0.5 center }
plot for [i=1:(coloured && psi_low_count > 1 ? 1 : 0)] points using (column("x")):(column("psi_low")):(column("psi_high")) with filledcurves linetype 2 fillstyle transparent solid 0.2 noborder title band_of, \
     for [i=1:(psi_low_count > 0 ? 1 : 0)] points using (column("x")):(column("psi")):(column("psi_low")):(column("psi_high")) with yerrorbars linetype 2 pointtype 0 title (coloured && psi_low_count > 1 ? "" : band_of), \
     for [i=1:(coloured && psi_from_base_low_count > 1 ? 1 : 0)] points using (column("x")):(column("psi_from_base_low")):(column("psi_from_base_high")) with filledcurves linetype 3 fillstyle transparent solid 0.2 noborder notitle, \
     for [i=1:(psi_from_base_low_count > 0 ? 1 : 0)] points using (column("x")):(column("psi_from_base")):(column("psi_from_base_low")):(column("psi_from_base_high")) with yerrorbars linetype 3 pointtype 0 notitle, \
     for [i=1:(psi_count > 0 ? 1 : 0)] points using (column("x")):(column("psi")) with linespoints linetype 2 title "psi from the system before", \
     for [i=1:(psi_from_base_count > 0 ? 1 : 0)] points using (column("x")):(column("psi_from_base")) with linespoints linetype 3 title "psi from the base", \
     for [i=1:(psi_count + psi_from_base_count == 0 ? 1 : 0)] 2*psi_high notitle
unset multiplot
