# Contenders: T over N on up to three systems; on the right T over p at up to three sizes, or of more than four sizes which is the
# fastest where in the plane of N and p (more: left, right, bottom and top of cells), or W' over p at up to three targets, or, where
# neither is known, T over that of the fastest. Colours are contenders, dashes are places, circles are crossings.
# Variables: points (group, system_place, other_place, x_N, y_N, x_p, y_p), curves over N (group, place, x_N, y_N, ratio), more: curves over p,
# routes (axis (0: N, 1: p), place, x, T), marks (x, kind, group) (CSV files), groups, groups_all, held_size, curves_of_p, first_system,
# first_other, N_places, N_places_all and the same of p, those of the quantities x_N, y_N, x_p and y_p, kinds, and those of style.gp.
N_values = y_N_count
p_values = y_p_count
N_from = (x_N_count > 0 ? x_N_least/1.2 : 1)
N_to = (x_N_count > 0 ? x_N_most*1.2 : 2)
p_from = (x_p_count > 0 ? x_p_least/1.2 : 1)
p_to = (x_p_count > 0 ? x_p_most*1.2 : 2)
# Text has no dashes: one place is drawn.
systems = (coloured ? N_places : (N_places > 0 ? 1 : 0))
others = (coloured ? p_places : (p_places > 0 ? 1 : 0))
# What the right picture is of: 1 T over p, 2 W' over p, 3 T over that of the fastest, 4 which is the fastest.
right = (!held_size ? 2 : regions && coloured ? 4 : curves_of_p > 0 && !regions ? 1 : 3)
marks_of_N = (right >= 3 ? kinds : 0)
system_name(j) = said[int(first_system) + j - 1]
other_name(j) = said[int(first_other) + j - 1]
dash(j) = (j == 1 ? 1 : j == 2 ? 2 : 3)
note(shown, all, what) = (all > shown ? sprintf(", %d of %d %s", int(shown), int(all), what) : "")
set multiplot layout 1,2 title said[1].note(groups, groups_all, "contenders").note(systems, N_places_all, "systems").(right >= 3 ? "" : note(others, p_places_all, held_size ? "sizes" : "targets"))
# Powers of 2 as marks of a narrow range, of 10 of a wide one.
base_of(low, high) = (high > 100*low ? 10 : 2)
# Marks stand below the lines.
room_below(low, high, marks) = (marks > 0 ? low*(low/high)**(0.03*groups/(1 - 0.03*groups)) : low)
set xtics () autofreq nomirror out
set format x "%g"
set format y "%g"
set logscale x base_of(N_from, N_to)
set xlabel "problem size ".size_name."\n"
set xrange [N_from:N_to]
y_name = "execution time T (s)"
if (coloured) { set ylabel y_name } else { set title y_name }
if (N_values) {
    set logscale y base_of(y_N_least, 4*y_N_most)
    set yrange [room_below(y_N_least/2, 2*y_N_most, marks_of_N):2*y_N_most]
} else {
    set yrange [0:1]
    unset ytics
    set label 1 "no contender has a time" at graph 0.5,0.5 center
}
plot for [j=1:systems] for [i=1:groups] curves using (column("group") == i && column("place") == j ? column("x_N") : NaN):(column("y_N")) with lines linetype i dashtype dash(j) notitle, \
     for [i=1:groups] points using (column("group") == i && column("system_place") > 0 && column("system_place") <= systems ? column("x_N") : NaN):(column("y_N")) with points linetype i notitle, \
     routes using (column("axis") == 0 && column("place") <= systems ? column("x") : NaN):(column("T")) with points linetype 7 pointtype 6 pointsize 2 title "crossing", \
     for [i=1:groups] NaN with linespoints linetype i title (marks_of_N == 0 ? label_of(i) : ""), \
     for [j=1:systems] NaN with lines linetype 7 dashtype dash(j) title system_name(j), \
     for [i=1:marks_of_N] marks using (column("kind") == i ? column("x") : NaN):(0.025*column("group")):(column("group")) axes x1y2 with points pointtype (i == 1 ? 2 : i + 2) pointsize 1.2 linecolor variable notitle, \
     for [i=1:marks_of_N] NaN with points linetype 7 pointtype (i == 1 ? 2 : i + 2) pointsize 1.2 title mark_title(i), \
     for [i=1:(N_values ? 0 : 1)] 2 notitle
unset label 1
unset logscale xy
set ytics nomirror out autofreq
set format y "%g"
if (right == 3) {
    set logscale x base_of(N_from, N_to)
    set logscale y 2
    set yrange [0.9:*]
    y_name = "T over T of the fastest (1)"
    if (coloured) { set ylabel y_name } else { set title y_name }
    plot for [j=1:systems] for [i=1:groups] curves using (column("group") == i && column("place") == j ? column("x_N") : NaN):(column("ratio")) with lines linetype i dashtype dash(j) title (j == 1 ? label_of(i) : ""), \
         for [j=1:systems] NaN with lines linetype 7 dashtype dash(j) title system_name(j), \
         for [i=1:(N_values ? 0 : 1)] 2 notitle
} else { if (right == 4) {
    set logscale x base_of(left_least, right_most)
    set xrange [left_least:right_most]
    set logscale y 2
    set yrange [bottom_least:top_most]
    if (top_most > 70000) { set format y "2^%L" } else { set format y "%g" }
    set ylabel "number of processes p"
    unset grid
    set style fill solid 0.55 noborder
    plot for [i=1:groups] more using (column("group") == i ? sqrt(column("left")*column("right")) : NaN):(column("bottom")):(column("left")):(column("right")):(column("bottom")):(column("top")) with boxxyerror linetype i title label_of(i)." is the fastest"
} else {
    set logscale x 2
    # From five figures on powers of two are written as such.
    if (p_to > 70000) {
        unset xtics
        step = int(ceil(log(p_to)/log(2)/8))
        set xtics nomirror out ("2^0" 1)
        do for [k=step:int(floor(log(p_to)/log(2))):step] { set xtics add (sprintf("2^%d", k) 2.0**k) }
    }
    set xlabel "number of processes p"."\n"
    set xrange [p_from:p_to]
    y_name = (right == 1 ? "execution time T (s)" : "work W (flop)")
    if (coloured) { set ylabel y_name } else { set title y_name }
    if (p_values) {
        set logscale y base_of(y_p_least, 4*y_p_most)
        set yrange [room_below(y_p_least/2, 2*y_p_most, kinds):2*y_p_most]
    } else {
        set yrange [0:1]
        unset ytics
        set label 1 "no contender has a solution" at graph 0.5,0.5 center
    }
    plot for [j=1:others] for [i=1:groups] more using (column("group") == i && column("place") == j ? column("x_p") : NaN):(column("y_p")) with lines linetype i dashtype dash(j) notitle, \
         for [j=1:others] for [i=1:groups] points using (column("group") == i && column("other_place") == j ? column("x_p") : NaN):(column("y_p")) with points linetype i notitle, \
         for [j=1:(right == 2 ? others : 0)] for [i=1:groups] points using (column("group") == i && column("other_place") == j ? column("x_p") : NaN):(column("y_p")) with lines linetype i dashtype dash(j) notitle, \
         routes using (column("axis") == 1 && column("place") <= others ? column("x") : NaN):(column("T")) with points linetype 7 pointtype 6 pointsize 2 title (right == 1 ? "crossing" : ""), \
         for [i=1:kinds] marks using (column("kind") == i ? column("x") : NaN):(0.025*column("group")):(column("group")) axes x1y2 with points pointtype (i == 1 ? 2 : i + 2) pointsize 1.2 linecolor variable notitle, \
         for [i=1:groups] NaN with linespoints linetype i title (kinds == 0 ? label_of(i) : ""), \
         for [j=1:others] NaN with lines linetype 7 dashtype dash(j) title other_name(j), \
         for [i=1:kinds] NaN with points linetype 7 pointtype (i == 1 ? 2 : i + 2) pointsize 1.2 title mark_title(i), \
         for [i=1:(p_values + kinds > 0 ? 0 : 1)] 2 notitle
} }
unset multiplot
