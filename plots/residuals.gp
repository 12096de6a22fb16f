# Measured over fitted times against the message size, every launch of every point, by operation or p.
# Variables: scripts, points (a CSV file), systems and labels (words), title, and those of style.gp.
load scripts."/style.gp"
of(file_system, name) = (file_system eq name)
set title title
set logscale x 2
set logscale y 2
set format x "2^%L"
set xlabel "message size m (B)"
set ylabel "measured / fitted"
set xrange [N_low:N_high]
if (words(systems) > 12) { unset key } else { set key outside right top }
plot 1 with lines linetype 7 dashtype 2 notitle, \
     for [i=1:words(systems)] points using (of(strcol("system"), word(systems, i)) ? column("m") : NaN):(column("ratio")) \
         with points linetype (i - 1) % 6 + 1 title word(labels, i)
