# R_f of processor sets beside their numbers of processors, and psi from each set to the next.
# Variables: points (a CSV file), ticks, those of the quantities x, R_f and psi, and those of style.gp.
psi_high = 1.05*larger(1, psi_most)
set multiplot layout 1,2 title said[1]
unset xtics
set xtics nomirror out rotate by (ticks > 6 ? -60 : 0) ()
do for [i=1:ticks] { set xtics add (tick_name(i) tick_at(i)) }
set xrange [0.5:x_count + 0.5]
set xlabel "processor set"."\n"
set format y "%g"
set yrange [0:*]
y_name = "performance reference factor R_f (1)"
if (coloured) { set ylabel y_name } else { set title y_name }
plot for [i=1:(R_f_count > 0 ? 1 : 0)] points using (column("x")):(column("R_f")) with linespoints linetype 1 title "R_f", \
     points using (column("x")):(column("n")) with lines linetype 7 dashtype 2 title "number of processors"
set yrange [0:psi_high]
y_name = "scalability psi (1)"
if (coloured) { set ylabel y_name } else { set title y_name }
if (psi_count == 0) { set label 1 "psi needs times: see isocast scalability --metric" at graph 0.5,0.5 center }
plot for [i=1:(psi_count > 0 ? 1 : 0)] points using (column("x")):(column("psi")) with linespoints linetype 2 title "psi from the set before", \
     for [i=1:(psi_count > 0 ? 0 : 1)] 2*psi_high notitle
unset multiplot
