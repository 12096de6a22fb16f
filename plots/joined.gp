# T over p by formulas whose open numbers were fitted to runs, with the runs and the 90 % band; and what the formulas are off by there.
# Variables: points (group, x, T, ratio), curves (group, x, T_line), more (group, x, T_forecast with its band) (CSV files), groups,
# groups_all, those of the quantities T, ratio, T_line and T_forecast, and those of style.gp.
set multiplot layout 1,2 title said[1].(groups_all > groups ? sprintf(" (%d of %d sizes)", int(groups), int(groups_all)) : "")
set logscale x 2
set xlabel "number of processes p\n"
set xrange [x_low:x_high]
set logscale y
set format y "%g"
of(i) = (column("group") == i ? column("x") : NaN)
y_name = "execution time T (s)"
if (coloured) { set ylabel y_name } else { set title y_name }
if (T_line_count > 0) { eval decade_ticks("curves", "T_line") } else { set yrange [0.1:10] }
if (coloured) { set key maxrows 4 }
plot for [i=1:(coloured && T_forecast_count > 0 ? groups : 0)] more using (of(i)):(column("T_forecast_low")):(column("T_forecast_high")) with filledcurves linetype i fillstyle transparent solid (groups > 3 ? 0.06 : 0.18) noborder title (i == 1 ? "90 % band" : ""), \
     for [i=1:(T_line_count > 0 ? groups : 0)] curves using (of(i)):(column("T_line")) with lines linetype i title label_of(i), \
     for [i=1:(T_count > 0 ? groups : 0)] points using (of(i)):(column("T")) with points linetype i pointtype 7 title (i == 1 ? "measured" : ""), \
     for [i=1:(T_forecast_count > 0 ? groups : 0)] more using (of(i)):(column("T_forecast")) with points linetype i pointtype 6 pointsize 1.2 title (i == 1 ? "forecast" : ""), \
     for [i=1:(T_line_count > 0 ? 0 : 1)] (T_line_count > 0 ? NaN : 2) notitle
unset ytics
set ytics nomirror out autofreq
set format y "%g"
set autoscale y
if (ratio_count > 0) { eval decade_ticks("points", "ratio") } else { set yrange [0.1:10] }
if (ratio_count > 0) { set yrange [(ratio_least < 0.8 ? ratio_least/1.1 : 0.8):(ratio_most > 1.25 ? 1.1*ratio_most : 1.25)] }
set ytics add ("0.8" 0.8, "0.9" 0.9, "1" 1, "1.1" 1.1, "1.25" 1.25)
y_name = "T of the formulas over T measured (1)"
if (coloured) { set ylabel y_name } else { set title y_name }
plot for [i=1:(ratio_count > 0 ? groups : 0)] points using (of(i)):(column("ratio")) with points linetype i pointtype 7 title label_of(i), \
     for [i=1:1] 1 with lines linetype 8 linewidth 1 dashtype 2 title "as measured"
unset multiplot
