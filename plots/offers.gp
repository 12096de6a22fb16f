# Offers: what the goal looks at over what is spent, a line an offer; and by which factor a number must change before another offer is better.
# Variables: points (group, x, y, low, high, chosen), curves (group, x, y_front), routes (row, factor, found) (CSV files), groups, objective (0: T, 1: N, 2: cost, 3: energy, 4: p, 5: spent times T), budget,
# currency, changes, change_i, widest, those of the quantity y, and those of style.gp.
solved = y_count
set multiplot layout 1,2 title said[1]
money = (said[int(currency)] eq "" ? "spent" : "spent (".said[int(currency)].")")
set logscale x 10
# 1, 2 and 5 of each decade, where the range is not too wide for them.
set xtics () nomirror out
do for [k=int(floor(log10(x_low))):int(floor(log10(x_high)))] { do for [m in (x_high < 300*x_low ? "1 2 5" : "1")] { set xtics add (gprintf("%.0s%c", m*10.0**k) m*10.0**k) } }
set xlabel money."\n"
set xrange [x_low:x_high]
array objectives[6] = ["execution time T (s)", "largest problem ".size_name, "cost of a run".(said[int(currency)] eq "" ? "" : " (".said[int(currency)].")"), "energy of a run (J)", "number of processes p", "spent times T".(said[int(currency)] eq "" ? "" : " (".said[int(currency)]." s)")]
y_name = objectives[int(objective) + 1]
if (coloured) { set ylabel y_name } else { set title y_name }
if (solved > 0) {
    set logscale y
    set format y "%g"
    if (y_front_count > 0) { eval decade_ticks("curves", "y_front") }
} else {
    set yrange [0:1]
    unset ytics
    set label 1 "no offer serves" at graph 0.5,0.5 center
}
if (budget >= x_low && budget <= x_high && solved > 0) { set arrow 1 from budget,graph 0 to budget,graph 1 nohead dashtype 2 linecolor rgb "#7F7F7F" }
plot for [i=1:groups] curves using (column("group") == i ? column("x") : NaN):(column("y_front")) with lines linetype i notitle, \
     for [i=1:(coloured ? groups : 0)] points using (column("group") == i ? column("x") : NaN):(column("y")):(column("low")):(column("high")) with yerrorbars linetype i notitle, \
     for [i=1:groups] points using (column("group") == i ? column("x") : NaN):(column("y")) with points linetype i notitle, \
     for [i=1:groups] NaN with linespoints linetype i title label_of(i), \
     for [i=1:(solved > 0 ? 1 : 0)] points using (column("chosen") == 1 ? column("x") : NaN):(column("y")) with points linetype 7 pointtype 6 pointsize 2.4 title "chosen", \
     for [i=1:(solved > 0 ? 0 : 1)] (solved > 0 ? NaN : 2) notitle
unset label 1
unset arrow 1
unset logscale y
unset ylabel
set format y
set xrange [1/(1.25*widest):1.25*widest]
set logscale x 2
set xtics ()
tick_factor = (widest > 4 ? 4 : widest > 1.5 ? 2 : widest**0.8)
do for [k=-2:2] { set xtics add (sprintf(widest > 1.5 ? "%g" : "%.2f", tick_factor**k) tick_factor**k) }
set xlabel "factor that changes the answer (1: now)"."\n"
set yrange [(changes > 0 ? changes : 1) + 0.7:0.3]
unset ytics
if (changes > 0) {
    set ytics nomirror out
    set ytics ()
    if (coloured) { set ytics font ",13" }
    do for [i=1:int(changes)] { set ytics add (said[int(value(sprintf("change_%d", i)))] i) }
} else {
    unset xtics
    set xlabel ""
    set label 1 (solved > 0 ? "no other offer serves" : "no offer serves") at graph 0.5,0.5 center
}
unset title
if (changes > 0) { set arrow 1 from 1,graph 0 to 1,graph 1 nohead linecolor rgb "#7F7F7F" }
plot for [i=1:(changes > 0 ? 1 : 0)] routes using (1):(column("row")):(column("factor") - 1):(0) with vectors nohead linetype 1 linewidth 5 notitle, \
     for [i=1:(changes > 0 ? 1 : 0)] routes using (column("found") == 1 ? column("factor") : NaN):(column("row")) with points linetype 2 pointtype 7 title "change", \
     for [i=1:(changes > 0 ? 1 : 0)] routes using (column("found") == 0 ? column("factor") : NaN):(column("row")) with points linetype 7 pointtype 8 title "no change", \
     for [i=1:(changes > 0 ? 0 : 1)] (changes > 0 ? NaN : -1) notitle
unset multiplot
