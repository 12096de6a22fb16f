# T and speedup of a fixed N over p (strong scaling).
# Variables: scripts, points (a CSV file), title, and those of style.gp.
load scripts."/style.gp"
set multiplot layout 1,2 title title
set logscale x 2
set xlabel "processes p"
set xrange [p_low:p_high]
set key top right
set logscale y
set format y "%g"
set ylabel "execution time T (s)"
plot points using (column("p")):(column("T")) with linespoints linetype 1 title "T predicted"
set logscale y 2
set key top left reverse Left
set ylabel "speedup"
plot points using (column("p")):(column("speedup")) with linespoints linetype 2 title "predicted", \
     points using (column("p")):(column("p")) with lines linetype 7 dashtype 2 title "one for each process"
unset multiplot
