# T and speedup of a fixed N over p (strong scaling).
# Variables: points, marks (CSV files), by_p, level (per cent), kinds, those of the quantities T and speedup, and those of style.gp.
solved = T_count
set multiplot layout 1,2 title said[1]
set logscale x 2
set xlabel (by_p ? "number of processes p" : "marked speed C (Gflop/s)")."\n"
set xrange [x_low:x_high]
y_name = "execution time T (s)"
if (coloured) { set ylabel y_name } else { set title y_name }
if (solved > 0) {
    set logscale y
    set format y "%g"
    eval decade_ticks("points", "T")
} else {
    set yrange [0:1]
    unset ytics
    set label 1 "no system has a time at this ".size_name at graph 0.5,0.5 center
}
# A band needs two rows; bars show a single one, and what a terminal of characters cannot fill.
band_of = sprintf("%.4g %% interval of a run", level)
plot for [i=1:(coloured && T_low_count > 1 ? 1 : 0)] points using (column("x")):(column("T_low")):(column("T_high")) with filledcurves linetype 1 fillstyle transparent solid 0.2 noborder title band_of, \
     for [i=1:(T_low_count > 0 ? 1 : 0)] points using (column("x")):(column("T")):(column("T_low")):(column("T_high")) with yerrorbars linetype 1 pointtype 0 title (coloured && T_low_count > 1 ? "" : band_of), \
     for [i=1:(solved > 0 ? 1 : 0)] points using (column("x")):(column("T")) with linespoints linetype 1 title "T predicted", \
     for [i=1:kinds] marks using (column("kind") == i ? column("x") : NaN):(0.03) axes x1y2 with points linetype 7 pointtype (i == 1 ? 2 : i + 2) pointsize 1.4 title mark_title(i)
unset label 1
set autoscale y
unset ytics
set ytics nomirror out autofreq
if (speedup_count > 0) {
    set logscale y 2
    set format y "%g"
} else {
    set yrange [0:1]
    unset ytics
    set label 1 "no speedup is known" at graph 0.5,0.5 center
}
y_name = "speedup against process 0 alone (1)"
if (coloured) { set ylabel y_name } else { set title y_name }
plot for [i=1:(speedup_count > 0 ? 1 : 0)] points using (column("x")):(column("speedup")) with linespoints linetype 2 title "predicted", \
     for [i=1:(speedup_count > 0 && by_p ? 1 : 0)] points using (column("x")):(column("x")) with lines linetype 7 dashtype 2 title "one for each process", \
     for [i=1:(speedup_count > 0 ? 0 : 1)] (speedup_count > 0 ? NaN : 2) notitle
unset multiplot
