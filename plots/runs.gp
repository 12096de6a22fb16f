# T over N of runs, every repetition, by system.
# Variables: points (a CSV file), groups, groups_all, and those of style.gp.
set title said[1].(groups_all > groups ? sprintf(" (%d of %d systems)", int(groups), int(groups_all)) : "")
set logscale x 2
set logscale y
set format y "%g"
eval decade_ticks("points", "T")
set xlabel "problem size ".size_name."\n"
set ylabel "execution time T (s)"
set xrange [x_low:x_high]
plot for [i=1:groups] points using (column("group") == i ? column("N") : NaN):(column("T")) with points linetype i title label_of(i)
