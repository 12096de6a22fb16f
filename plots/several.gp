# One algorithm at several targets or sizes, a line each, over p; on the right a second quantity, or E over N, a line a system.
# Variables: points (group, x, left, right), curves (group, N, E), marks (x, kind, group) (CSV files), kind_drawn (1: N' and psi, 2: E
# over p and over N, 3: N' and the share of overhead, 4: T and that share, 5: W' and the overhead), groups, groups_all, systems, systems_all,
# first_system, kinds, those of the quantities left, right and N_seen, and those of style.gp.
array left_name[5] = ["problem size ".size_name, "speed-efficiency E = W/(T C) (1)", "problem size ".size_name, "execution time T (s)", "work W (flop)"]
array right_name[5] = ["scalability psi from the system before (1)", "speed-efficiency E = W/(T C) (1)", "share of all overhead in T (%)", "share of all overhead in T (%)", "total overhead p T - W/C_1 (s)"]
array nothing[5] = ["psi needs two systems that have a solution", "no system has a value", "no system has a solution", "no system has a solution", "no system has a solution"]
N_from = (N_seen_count > 0 ? N_seen_least/1.2 : 1)
N_to = (N_seen_count > 0 ? N_seen_most*1.2 : 2)
set multiplot layout 1,2 title said[1].(groups_all > groups ? sprintf(" (%d of %d lines)", int(groups), int(groups_all)) : "")
set logscale x 2
set xlabel "number of processes p\n"
set xrange [x_low:x_high]
set format y "%g"
# Powers of 10 would be too few marks of a narrow range.
base_of(low, high) = (high > 100*low ? 10 : 2)
# Marks stand below the lines.
room_below(low, high) = (kinds > 0 ? low*(low/high)**(0.03*groups/(1 - 0.03*groups)) : low)
E_top = 1.05*(left_most > 1 ? left_most : 1)
y_name = left_name[kind_drawn]
if (coloured) { set ylabel y_name } else { set title y_name }
if (left_count > 0) {
    if (kind_drawn == 2) { set yrange [0:E_top] } else { set logscale y base_of(left_least, left_most); set yrange [room_below(left_least/2, 2*left_most):2*left_most] }
} else {
    set yrange [0:1]
    unset ytics
    set label 1 "no system has a solution" at graph 0.5,0.5 center
}
# The lines are named once where the legend has long words beside them.
lines_named = (kinds == 0 || kind_drawn == 2 || right_count == 0)
# Marks of several lines stand above each other, in the colours of their lines.
plot for [i=1:(left_count > 0 ? groups : 0)] points using (column("group") == i ? column("x") : NaN):(column("left")) with linespoints linetype i title (lines_named ? label_of(i) : ""), \
     for [i=1:kinds] marks using (column("kind") == i ? column("x") : NaN):(0.025*column("group")):(column("group")) axes x1y2 with points pointtype (i == 1 ? 2 : i + 2) pointsize 1.2 linecolor variable notitle, \
     for [i=1:kinds] NaN with points linetype 7 pointtype (i == 1 ? 2 : i + 2) pointsize 1.2 title mark_title(i), \
     for [i=1:(left_count + kinds > 0 ? 0 : 1)] 2 notitle
unset label 1
unset logscale y
set ytics nomirror out
set format y "%g"
set yrange [0:kind_drawn == 2 ? E_top : kind_drawn == 1 ? 1.05*(right_most > 1 ? right_most : 1) : 100]
y_name = right_name[kind_drawn]
if (coloured) { set ylabel y_name } else { set title y_name }
if (kind_drawn == 2) {
    if (systems_all > systems) { set title sprintf("%d of %d systems", int(systems), int(systems_all)) }
    set xlabel "problem size ".size_name."\n"
    set xrange [N_from:N_to]
    set xtics ()
    if (N_to > 100*N_from) { set logscale x 10; set xtics nomirror out autofreq; set format x "%g" } else { do for [k=int(ceil(log(N_from)/log(2))):int(floor(log(N_to)/log(2)))] { set xtics add (sprintf("%g", 2.0**k) 2.0**k) } }
    plot for [i=1:systems] curves using (column("group") == i ? column("N") : NaN):(column("E")) with linespoints linetype i title said[int(first_system) + i - 1], \
         for [i=1:(systems > 0 ? 0 : 1)] 2 notitle
} else {
    if (right_count == 0) {
        set yrange [0:1]
        set label 1 nothing[kind_drawn] at graph 0.5,0.5 center
    } else {
        if (kind_drawn == 5) { set logscale y base_of(right_least, right_most); set yrange [right_least/2:2*right_most] }
    }
    plot for [i=1:(right_count > 0 ? groups : 0)] points using (column("group") == i ? column("x") : NaN):(column("right")) with linespoints linetype i title label_of(i), \
         for [i=1:(right_count > 0 ? 0 : 1)] 2 notitle
}
unset multiplot
