# Measured over fitted (or predicted) times, by operation, number of processes or part.
# Variables: points (a CSV file), groups, of_messages, simulated (of parts), and those of style.gp.
set title said[1]
set logscale x 2
# Powers of 2 as marks of a narrow range.
stats points using (column("ratio")) nooutput
set logscale y (STATS_max > 100*STATS_min ? 10 : 2)
set format y "%g"
set xlabel (of_messages ? "message size m (B)" : "problem size ".size_name)."\n"
set ylabel (of_messages ? "measured / fitted (1)" : (simulated ? "simulated" : "measured")." / predicted (1)")
set xrange [x_low:x_high]
plot 1 with lines linetype 7 dashtype 2 notitle, \
     for [i=1:groups] points using (column("group") == i ? column("x") : NaN):(column("ratio")) with points linetype colour_of(i) title label_of(i)
