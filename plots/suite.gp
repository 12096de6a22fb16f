# A suite of applications: SSI or SSP of each offer over its price, with its interval; and what each application gives on each offer.
# Variables: points (group, x, y, low, high, chosen), curves (group, place, gain) (CSV files), groups, groups_all, by_SSI, currency, places,
# ticks, those of the quantities y, high and gain, and those of style.gp.
solved = y_count
set multiplot layout 1,2 title said[1].(groups_all > groups ? sprintf(" (%d of %d offers)", int(groups), int(groups_all)) : "")
money = "price".(said[int(currency)] eq "" ? "" : " (".said[int(currency)].")")
set xtics () autofreq nomirror out
set format x "%.0s%c"
set format y (by_SSI ? "%g" : "%.3s%c")
set xlabel money."\n"
set xrange [0:1.15*x_high]
set yrange [0:(solved > 0 ? 1.1*larger(y_most, high_most) : 1)]
y_name = (by_SSI ? "scalable system improvement SSI (1)" : "sustained system performance SSP (flop/s)")
if (coloured) { set ylabel y_name } else { set title y_name }
if (solved == 0) { set label 1 "no offer serves" at graph 0.5,0.5 center }
plot for [i=1:(coloured ? groups : 0)] points using (column("group") == i ? column("x") : NaN):(column("y")):(column("low")):(column("high")) with yerrorbars linetype i notitle, \
     for [i=1:groups] points using (column("group") == i ? column("x") : NaN):(column("y")) with points linetype i notitle, \
     for [i=1:groups] NaN with points linetype i title label_of(i), \
     for [i=1:(solved > 0 ? 1 : 0)] points using (column("chosen") == 1 ? column("x") : NaN):(column("y")) with points linetype 7 pointtype 6 pointsize 2.4 title "chosen", \
     for [i=1:(solved > 0 ? 0 : 1)] (solved > 0 ? NaN : 2) notitle
unset label 1
set xtics nomirror out rotate by (ticks > 4 ? -40 : 0) ()
do for [i=1:ticks] { set xtics add (tick_name(i) tick_at(i)) }
set xrange [0.5:places + 0.5]
set xlabel "application"."\n"
y_name = (by_SSI ? "improvement over the reference machine (1)" : "rate of a node (flop/s)")
if (coloured) { set ylabel y_name } else { set title y_name }
if (gain_count > 0) {
    set logscale y
    set yrange [gain_least/1.3:1.3*gain_most]
    if (by_SSI) { eval decade_ticks("curves", "gain") }
} else {
    set label 1 "no application has a time" at graph 0.5,0.5 center
}
# Offers stand beside each other.
beside(i) = 0.5*(i - (groups + 1)/2.0)/larger(groups, 2)
plot for [i=1:groups] curves using (column("group") == i ? column("place") + beside(i) : NaN):(column("gain")) with points linetype i title label_of(i), \
     for [i=1:(gain_count > 0 ? 0 : 1)] (gain_count > 0 ? NaN : 2) notitle
unset multiplot
