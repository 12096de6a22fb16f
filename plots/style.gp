# Colours that colour-blind readers can tell apart (M. Okabe, K. Ito 2008), line and point styles.
# Every script here starts with this one. Variables from the caller: output, format, width, height.
set datafile separator ","
set datafile columnheaders
if (format eq "svg") set terminal svg size 960,420 font "Helvetica,13" background "white" noenhanced
if (format eq "png") set terminal pngcairo size 1600,700 font "Helvetica,18" background "white" noenhanced linewidth 1.6
if (format eq "pdf") set terminal pdfcairo size 24cm,10.5cm font "Helvetica,11" background "white" noenhanced
if (format eq "txt") set terminal dumb size width,height noenhanced
set output output
array colour[7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
do for [i=1:7] {
    set linetype i linewidth 1.8 linecolor rgb colour[i] pointtype (2*i + 3) pointsize 0.9
}
set border 3
set tics nomirror
if (format ne "txt") set grid linecolor rgb "#DDDDDD"
