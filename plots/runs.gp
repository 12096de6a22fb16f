# Measured T over N, every repetition, by system.
# Variables: scripts, points (a CSV file), systems (words), title, and those of style.gp.
load scripts."/style.gp"
of(file_system, name) = (file_system eq name)
set title title
set logscale x 2
set logscale y
set format y "%g"
set xlabel "problem size N"
set ylabel "execution time T (s)"
set xrange [N_low:N_high]
set key top left reverse Left
plot for [i=1:words(systems)] points using (of(strcol("system"), word(systems, i)) ? column("N") : NaN):(column("T")) \
         with points linetype i title word(labels, i)." measured"
