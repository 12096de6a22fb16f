# The isoefficiency function W'(p) with its proved order and the slopes of its bounds; and the total overhead by part.
# Variables: points, curves, marks (CSV files), groups, those of the quantities x and W, power_i, log_power_i and law_i of three orders
# (0: the whole, 1: Omega(p), 2: concurrency), kinds, below (1: computing is less than W/C_1), and those of style.gp.
solved = W_count
set multiplot layout 1,2 title said[1]
set logscale x 2
set xlabel "number of processes p\n"
set xrange [x_low:x_high]
if (solved > 0) {
    set logscale y
    set format y "%g"
    set autoscale yfixmin
} else {
    set yrange [0:1]
    unset ytics
    set label 1 "no system has a solution" at graph 0.5,0.5 center
}
# An order is known up to a constant: its line goes through a point of W'.
is_known(i) = (solved > 0 && value(sprintf("power_%d", i)) == value(sprintf("power_%d", i)))
line(i, x, p, W) = (x > 1 && p > 1 ? W*(x/p)**value(sprintf("power_%d", i))*(log(x)/log(p))**value(sprintf("log_power_%d", i)) : NaN)
law(i) = said[int(value(sprintf("law_%d", i)))]
y_name = "work W (flop)"
if (coloured) { set ylabel y_name } else { set title y_name }
plot for [i=1:(solved > 0 ? 1 : 0)] points using (column("x")):(column("W")) with linespoints linetype 1 title "W that holds E", \
     for [i=1:(is_known(0) ? 1 : 0)] line(0, x, x_last, W_last) with lines linetype 2 dashtype 2 title "order: ".law(0), \
     for [i=1:(is_known(1) ? 1 : 0)] line(1, x, x_first, W_first) with lines linetype 7 dashtype 3 title "slope of the bound Omega(p)", \
     for [i=1:(is_known(2) ? 1 : 0)] line(2, x, x_first, W_first) with lines linetype 8 dashtype 4 title "slope of the bound by concurrency, ".law(2), \
     for [i=1:kinds] marks using (column("kind") == i ? column("x") : NaN):(0.03) axes x1y2 with points linetype 7 pointtype (i == 1 ? 2 : i + 2) pointsize 1.4 title mark_title(i), \
     for [i=1:(solved + kinds > 0 ? 0 : 1)] (solved + kinds > 0 ? NaN : 2) notitle
unset label 1
y_name = "total overhead p T - W/C_1 (s)"
if (coloured) { set ylabel y_name } else { set title y_name }
plot for [i=1:(solved > 0 ? 1 : 0)] points using (column("x")):(column("overhead")) with lines linetype 7 title (below ? "all (a part is below 0)" : "all"), \
     for [i=1:groups] curves using (column("group") == i ? column("x") : NaN):(column("overhead")) with linespoints linetype colour_of(i) title label_of(i), \
     for [i=1:(solved > 0 ? 0 : 1)] (solved > 0 ? NaN : 2) notitle
unset multiplot
