# Measured E over N with the trend lines and the N read from them, by system; then N and psi over p, as in prediction.gp.
# Variables: curves (trend lines), more (measured), routes (N read) (CSV files), groups, E_held, those of the quantities N_read and E_read,
# and those of prediction.gp.
panels = 3
N_from = N_read_least/1.2
N_to = N_read_most*1.2
set multiplot layout 1,panels title said[1]
set logscale x 2
set xlabel "problem size ".size_name."\n"
set xrange [N_from:N_to]
set xtics ()
if (N_to > 100*N_from) { set logscale x 10; set xtics nomirror out autofreq } else { do for [k=int(ceil(log(N_from)/log(2))):int(floor(log(N_to)/log(2)))] { set xtics add (sprintf("%g", 2.0**k) 2.0**k) } }
set yrange [0:1.05*larger(1, E_read_most)]
set format y "%g"
y_name = "speed-efficiency E = W/(T C) (1)"
if (coloured) { set ylabel y_name } else { set title y_name }
set key maxrows 4
plot for [i=1:groups] curves using (column("group") == i ? column("N_read") : NaN):(column("E_read")) with lines linetype i notitle, \
     for [i=1:groups] more using (column("group") == i ? column("N_read") : NaN):(column("E_read")) with points linetype i title label_of(i), \
     for [i=1:(coloured ? groups : 0)] routes using (column("group") == i ? column("N_read") : NaN):(column("E_read")) with impulses linetype i dashtype 3 notitle, \
     E_held with lines linetype 7 dashtype 2 title sprintf("E = %.4g", E_held), \
     NaN with lines linetype 7 title (coloured ? "trend line" : "")
set key maxrows auto
# The axes that prediction.gp expects.
set xtics ()
do for [k=first_tick:last_tick:tick_step] { set xtics add (power_of(k) 2.0**k) }
if (first_tick >= last_tick) { set xtics add (sprintf("%g", 1.2*x_low) 1.2*x_low, sprintf("%g", x_high/1.2) x_high/1.2) }
set autoscale y
