# N' that holds the efficiency, with its interval, and psi to each system from the one before, over p.
# Variables: scripts, points (a CSV file), title, and those of style.gp.
load scripts."/style.gp"
set multiplot layout 1,2 title title
set logscale x 2
set xlabel "processes p"
set xrange [p_low:p_high]
set key top left reverse Left
set logscale y
set format y "%g"
set ylabel "problem size N'"
if (has_interval) {
    plot points using (column("p")):(column("N")) with linespoints linetype 1 title "N' predicted", \
         points using (column("p")):(column("N")):(column("N_low")):(column("N_high")) with yerrorbars linetype 1 pointtype 0 title "90 % interval"
} else {
    plot points using (column("p")):(column("N")) with linespoints linetype 1 title "N' predicted"
}
unset logscale y
set yrange [0:1.05]
set key top right
set ylabel "scalability psi"
plot points using (column("p")):(column("psi")) with linespoints linetype 2 title "psi from the system before", \
     points using (column("p")):(column("psi_from_base")) with linespoints linetype 3 title "psi from the base"
unset multiplot
