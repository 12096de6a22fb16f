# A line of scaling over p: T at a fixed size, or the N that is on the line; and speedup, scaled speedup and efficiency.
# Of a number of processes that was chosen: T and speedup over p, and the chosen one as a point on them.
# Variables: points, curves, marks (CSV files), held_size, T_alone, kinds, those of the quantities T, N, speedup, scaled_speedup and T_around, and those of style.gp.
solved = (held_size ? T_count : N_count)
speedups = speedup_count
scaled = scaled_speedup_count
curved = T_around_count
set multiplot layout 1,2 title said[1]
set logscale x 2
set xlabel "number of processes p\n"
set xrange [x_low:x_high]
y_name = (held_size ? "execution time T (s)" : "problem size ".size_name)
if (coloured) { set ylabel y_name } else { set title y_name }
if (solved > 0) {
    set logscale y
    set format y "%g"
    eval decade_ticks(curved > 0 ? "curves" : "points", curved > 0 ? "T_around" : held_size ? "T" : "N")
} else {
    set yrange [0:1]
    unset ytics
    set label 1 "no system is on the line" at graph 0.5,0.5 center
}
plot for [i=1:(curved > 0 ? 1 : 0)] curves using (column("x")):(column("T_around")) with lines linetype 1 title "T on p processes", \
     for [i=1:(curved > 0 ? 1 : 0)] points using (column("x")):(column("T")) with points linetype 7 pointtype 7 pointsize 1.5 title "the number that is chosen", \
     for [i=1:(solved > 0 && curved == 0 ? 1 : 0)] points using (column("x")):(held_size ? column("T") : column("N")) with linespoints linetype 1 title (held_size ? "T predicted" : size_name." on the line"), \
     for [i=1:kinds] marks using (column("kind") == i ? column("x") : NaN):(0.03) axes x1y2 with points linetype 7 pointtype (i == 1 ? 2 : i + 2) pointsize 1.4 title mark_title(i), \
     for [i=1:(solved + kinds > 0 ? 0 : 1)] (solved + kinds > 0 ? NaN : 2) notitle
unset label 1
set autoscale y
unset ytics
set ytics nomirror out autofreq
if (speedups > 0) {
    set logscale y 2
    set format y "%g"
} else {
    set yrange [0:1]
    unset ytics
    set label 1 "no speedup is known" at graph 0.5,0.5 center
}
y_name = "speedup (1)"
if (coloured) { set ylabel y_name } else { set title y_name }
plot for [i=1:(speedups > 0 && curved > 0 ? 1 : 0)] curves using (column("x")):(T_alone/column("T_around")) with lines linetype 2 title "speedup against process 0 alone", \
     for [i=1:(speedups > 0 && curved > 0 ? 1 : 0)] points using (column("x")):(column("speedup")) with points linetype 7 pointtype 7 pointsize 1.5 title "the number that is chosen", \
     for [i=1:(speedups > 0 && curved == 0 ? 1 : 0)] points using (column("x")):(column("speedup")) with linespoints linetype 2 title "speedup against process 0 alone", \
     for [i=1:(scaled > 0 ? 1 : 0)] points using (column("x")):(column("scaled_speedup")) with linespoints linetype 3 dashtype 3 title "speed W/T against the base or the first system", \
     for [i=1:(speedups > 0 && curved > 0 ? 1 : 0)] curves using (column("x")):(column("x")) with lines linetype 7 dashtype 2 title "one for each process", \
     for [i=1:(speedups > 0 && curved == 0 ? 1 : 0)] points using (column("x")):(column("x")) with lines linetype 7 dashtype 2 title "one for each process", \
     for [i=1:(speedups > 0 ? 0 : 1)] (speedups > 0 ? NaN : 2) notitle
unset multiplot
