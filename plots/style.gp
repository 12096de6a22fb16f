# Runs before every other script here: the terminal, colours that colour-blind readers can distinguish (M. Okabe, K. Ito 2008),
# line and point styles, and the texts. Variables from the caller: format, output, width, height, texts, text_count, size_text.
set encoding utf8
set datafile separator ","
set datafile columnheaders
# Texts come as numbers, a row a byte, so that nothing in a name is read as anything but a letter.
array said[text_count]
do for [i=1:text_count] { said[i] = "" }
stats texts using (said[int(column("text"))] = said[int(column("text"))].sprintf("%c", int(column("byte"))), 0) nooutput
# What the algorithm calls its size.
size_name = (size_text > 0 ? said[int(size_text)] : "N")
label_of(i) = (i < text_count ? said[i + 1] : "")
if (format eq "svg") set terminal svg size 1100,520 font "Helvetica,13" background "white" noenhanced
if (format eq "png") set terminal pngcairo size 1800,850 font "Helvetica,18" background "white" noenhanced linewidth 1.6
if (format eq "pdf") set terminal pdfcairo size 27cm,13cm font "Helvetica,11" background "white" noenhanced
if (format eq "txt") set terminal dumb size width,height noenhanced
coloured = (format ne "txt")
set output output
array colour[10] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7F7F7F", "#8C510A", "#5E3C99"]
do for [i=1:10] {
    set linetype i linewidth 1.8 linecolor rgb colour[i] pointtype (i < 8 ? 2*i + 3 : 2*i - 12) pointsize 0.9
}
# The larger of two of which one may not be known; what a logarithmic axis can hold.
larger(a, b) = (a > b || b != b ? a : b)
drawable(v) = (v >= 1e-200 && v <= 1e200 ? v : NaN)
# Costs have the colours of their names, as far as there are variables colour_1 and so on; other lines those of their numbers.
colour_of(i) = (exists(sprintf("colour_%d", i)) ? int(value(sprintf("colour_%d", i))) : i)
set border 3
# Ticks point outwards and the legend stands below: neither lies on a point.
set tics nomirror out
set key below center horizontal reverse Left
if (coloured) set grid linecolor rgb "#DDDDDD"
# Names of places on an axis that is not one of numbers: variables tick_x_1, tick_text_1 and so on, as many as ticks.
tick_at(i) = value(sprintf("tick_x_%d", i))
tick_name(i) = said[int(value(sprintf("tick_text_%d", i)))]
# A logarithmic vertical axis of less than two decades of values is reported 2 and 5 of each decade as well: eval decade_ticks("points", "T").
decade_ticks(file, name) = sprintf("stats %s using (column('%s')) nooutput; if (STATS_min > 0 && STATS_max < 100*STATS_min) { do for [k=int(floor(log10(STATS_min))):int(ceil(log10(STATS_max)))] { set ytics add (sprintf('%%g', 2*10.0**k) 2*10.0**k, sprintf('%%g', 5*10.0**k) 5*10.0**k) } }", file, name)
# Rows without a solution: crosses at the bottom, by status.
set y2range [0:1]
mark_title(i) = (i <= kinds ? said[first_kind + i - 1] : "")
# Ticks of a horizontal axis of powers of two: written out up to five figures, else as powers; tick_step: every how many.
power_of(k) = (x_high > 70000 || x_low < 0.01 ? sprintf("2^%d", k) : sprintf("%g", 2.0**k))
set xtics ()
first_tick = tick_step*int(ceil(log(x_low)/log(2)/tick_step))
last_tick = int(floor(log(x_high)/log(2)))
do for [k=first_tick:last_tick:tick_step] { set xtics add (power_of(k) 2.0**k) }
# A range that holds no power of two, or one alone, is named by its ends.
if (first_tick >= last_tick) { set xtics add (sprintf("%g", 1.2*x_low) 1.2*x_low, sprintf("%g", x_high/1.2) x_high/1.2) }
