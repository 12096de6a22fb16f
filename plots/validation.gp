# Predicted (lines) against measured (points with the range of the runs) T and E over N, by system.
# Variables: scripts, points, curves (CSV files), systems (words), title, and those of style.gp.
load scripts."/style.gp"
of(file_system, name) = (file_system eq name)
set multiplot layout 1,2 title title
set logscale x 2
set xlabel "problem size N"
set xrange [N_low:N_high]
set key top left reverse Left
set logscale y
set ylabel "execution time T (s)"
set format y "%g"
plot for [i=1:words(systems)] curves using (of(strcol("system"), word(systems, i)) ? column("N") : NaN):(column("T")) \
         with lines linetype i title word(labels, i)." predicted", \
     for [i=1:words(systems)] points using (of(strcol("system"), word(systems, i)) ? column("N") : NaN):(column("T")):(column("T_min")):(column("T_max")) \
         with yerrorbars linetype i title word(labels, i)." measured"
unset logscale y
set format y "%g"
set yrange [0:*]
set key bottom right
set ylabel "speed-efficiency E = W/(T C)"
plot for [i=1:words(systems)] curves using (of(strcol("system"), word(systems, i)) ? column("N") : NaN):(column("E")) \
         with lines linetype i title word(labels, i)." predicted", \
     for [i=1:words(systems)] points using (of(strcol("system"), word(systems, i)) ? column("N") : NaN):(column("E")):(column("E_min")):(column("E_max")) \
         with yerrorbars linetype i title word(labels, i)." measured"
unset multiplot
