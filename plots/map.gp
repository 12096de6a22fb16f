# Heat maps of a sweep in which several names vary: N and T, or T and E, over the first two of them, with contours. Where no row
# has a solution the map is white. Variables: points (cells) and curves (the same as a grid), x_name, y_name, x_log and
# y_log (0: no, 1: logarithmic, 2: the same over few decades), first_name, second_name, log_from, those
# of the quantities first and second, and those of style.gp.
is_wide(least, most) = (least > 0 && most/least >= log_from)
first_log = is_wide(first_least, first_most)
second_log = is_wide(second_least, second_most)
set multiplot layout 1,2 title said[1].(coloured ? "; white: no row that has a solution" : "")
unset xtics
set xtics nomirror out autofreq
set ytics nomirror out autofreq
if (x_log) { set logscale x }
if (y_log) { set logscale y }
# An axis of few decades is reported more places than their powers of ten.
if (x_log > 1) { do for [k=-12:15] { set xtics add (10.0**k, 2*10.0**k, 5*10.0**k) } }
if (y_log > 1) { do for [k=-12:15] { set ytics add (10.0**k, 2*10.0**k, 5*10.0**k) } }
set format x "%g"
set format y "%g"
set format cb "%g"
set xlabel said[x_name]."\n"
set ylabel said[y_name]
set palette defined (0 "#0D0887", 1 "#7E03A8", 2 "#CC4778", 3 "#F89540", 4 "#F0F921")
unset grid
unset key
any = first_count + second_count > 0
x_from = 0.1
x_to = 1
y_from = 0.1
y_to = 1
if (any) {
    stats points using (column("x_low")) nooutput
    x_from = STATS_min
    stats points using (column("x_high")) nooutput
    x_to = STATS_max
    stats points using (column("y_low")) nooutput
    y_from = STATS_min
    stats points using (column("y_high")) nooutput
    y_to = STATS_max
}
# The numbers of the contours stand on white, as the map is dark in one place and light in another.
if (coloured) { set style textbox opaque noborder margins 0.3,0.3 fillcolor rgb "white" }
set contour base
set cntrparam levels auto 7
unset surface
# Both panels' cells and lines as tables of gnuplot's own, which has neither commas nor a header.
$cells << none
none
if (any) {
    set table $cells
    plot points using (column("x")):(column("y")):(column("x_low")):(column("x_high")):(column("y_low")):(column("y_high")):(column("first")):(column("second")) with table
    unset table
}
array contours[2] = [0, 0]
$first << none
none
$second << none
none
if (first_log) { set logscale z }
if (first_count > 3) {
    set table $first
    splot curves using (column("x")):(column("y")):(column("first")) with lines
    unset table
    contours[1] = |$first|
}
if (second_log) { set logscale z } else { unset logscale z }
if (second_count > 3) {
    set table $second
    splot curves using (column("x")):(column("y")):(column("second")) with lines
    unset table
    contours[2] = |$second|
}
set datafile separator whitespace
set datafile nocolumnheaders
do for [panel=1:2] {
    set title said[panel == 1 ? first_name : second_name]
    if ((panel == 1 ? first_log : second_log)) { set logscale cb } else { unset logscale cb }
    least = (panel == 1 ? first_least : second_least)
    most = (panel == 1 ? first_most : second_most)
    # A scale of one value has it in the middle.
    margin = (least != most ? 0 : least == 0 ? 1 : abs(least)/10)
    if (least <= most) { set cbrange [least - margin:most + margin] } else { set cbrange [0:1] }
    set xrange [x_from:x_to]
    set yrange [y_from:y_to]
    unset label 1
    if ((panel == 1 ? first_count : second_count) == 0) { set label 1 "no row has a solution" at graph 0.5,0.5 center }
    if (coloured) {
        plot for [i=1:(any ? 1 : 0)] $cells using 1:2:3:4:5:6:(column(6 + panel)) with boxxyerror linecolor palette fillstyle solid border notitle, \
             for [i=1:(any ? 0 : 1)] 2 notitle, \
             for [i=1:(panel == 1 && contours[1] > 0 ? 1 : 0)] $first using 1:2 with lines linetype 7 linewidth 0.8 notitle, \
             for [i=1:(panel == 2 && contours[2] > 0 ? 1 : 0)] $second using 1:2 with lines linetype 7 linewidth 0.8 notitle, \
             for [i=1:(panel == 1 && contours[1] > 0 ? 1 : 0)] $first using 1:2:(sprintf("%.3g", column(3))) every 40::8 with labels boxed notitle, \
             for [i=1:(panel == 2 && contours[2] > 0 ? 1 : 0)] $second using 1:2:(sprintf("%.3g", column(3))) every 40::8 with labels boxed notitle
    } else {
        plot for [i=1:(panel == 1 && contours[1] > 0 ? 1 : 0)] $first using 1:2:(sprintf("%.2g", column(3))) every 6 with labels notitle, \
             for [i=1:(panel == 2 && contours[2] > 0 ? 1 : 0)] $second using 1:2:(sprintf("%.2g", column(3))) every 6 with labels notitle, \
             for [i=1:(any && contours[panel] == 0 ? 1 : 0)] $cells using 1:2 with points notitle, \
             for [i=1:(any ? 0 : 1)] 2 notitle
    }
}
unset multiplot
