# Predicted (lines) against measured (points with the range of the runs) T and E over N, by system; and, where there
# are several systems, psi by the three routes.
# Variables: scripts, points, curves, routes (CSV files), has_routes, systems, labels (words), title, and those of style.gp.
load scripts."/style.gp"
of(file_system, name) = (file_system eq name)
# Lines of one system have the colour of its points, which are named; text has no colours, so both are named there.
coloured = (format ne "txt")
line_name(i) = (coloured ? "" : word(labels, i)." predicted")
point_name(i) = word(labels, i).(coloured ? "" : " measured")
set multiplot layout 1,(has_routes ? 3 : 2) title title
# Powers of 2 as marks of a narrow range; of a wide one they would stand on each other.
if (N_high > 100*N_low) set logscale x 10; else set logscale x 2
set xlabel "problem size N"
set xrange [N_low:N_high]
set key top left reverse Left
set logscale y
set ylabel "execution time T (s)"
set format y "%g"
plot for [i=1:words(systems)] curves using (of(strcol("system"), word(systems, i)) ? column("N") : NaN):(column("T")) \
         with lines linetype i title line_name(i), \
     for [i=1:words(systems)] points using (of(strcol("system"), word(systems, i)) ? column("N") : NaN):(column("T")):(column("T_min")):(column("T_max")) \
         with yerrorbars linetype i title point_name(i), \
     NaN with lines linetype 7 title (coloured ? "predicted" : "")
unset logscale y
set format y "%g"
set yrange [0:*]
set key bottom right
# The same systems as on the left; with three pictures there is no room to name them again.
if (has_routes) unset key
set ylabel "speed-efficiency E = W/(T C)"
# At E = 1 a program runs at the marked speed.
plot 1 with lines linetype 7 dashtype 2 title (coloured ? "marked speed" : ""), \
     for [i=1:words(systems)] curves using (of(strcol("system"), word(systems, i)) ? column("N") : NaN):(column("E")) \
         with lines linetype i title line_name(i), \
     for [i=1:words(systems)] points using (of(strcol("system"), word(systems, i)) ? column("N") : NaN):(column("E")):(column("E_min")):(column("E_max")) \
         with yerrorbars linetype i title point_name(i), \
     NaN with lines linetype 7 title (coloured ? "predicted" : "")
if (has_routes) {
    unset logscale x
    set xrange [-0.5:words(systems) - 1.5]
    set xlabel "system, from the one before it"
    set key bottom left Left reverse
    set ylabel "scalability psi"
    plot routes using 0:(column("computed")):xtic(1) with points linetype 1 pointsize 1.4 title "computed (trend of E)", \
         routes using 0:(column("direct")) with points linetype 2 pointsize 1.4 title "measured directly", \
         routes using 0:(column("predicted")) with linespoints linetype 3 title "predicted"
}
unset multiplot
