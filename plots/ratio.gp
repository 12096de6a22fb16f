# Measured over fitted (or predicted) times, by operation, number of processes or part.
# Variables: points (a CSV file), groups, of_messages, and those of style.gp.
set title said[1]
set logscale x 2
set logscale y 2
set format y "%g"
set xlabel (of_messages ? "message size m (B)" : "problem size ".size_name)."\n"
set ylabel (of_messages ? "measured / fitted (1)" : "measured / predicted (1)")
set xrange [x_low:x_high]
plot 1 with lines linetype 7 dashtype 2 notitle, \
     for [i=1:groups] points using (column("group") == i ? column("x") : NaN):(column("ratio")) with points linetype i title label_of(i)
