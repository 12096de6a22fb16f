# T over p, measured and forecast with its 90 % band, and points forecast from those before; and efficiency over p.
# Variables: points (group, x, T, E), curves (group, x, T_forecast and E_forecast with their bands, T_ideal), more (group, x, p_known,
# T_left_out) (CSV files), groups, groups_all, those of the quantities T, E, T_forecast and T_left_out, and those of style.gp.
set multiplot layout 1,2 title said[1].(groups_all > groups ? sprintf(" (%d of %d series)", int(groups), int(groups_all)) : "")
set logscale x 2
set xlabel "number of processes p\n"
set xrange [x_low:x_high]
set logscale y
set format y "%g"
of(i) = (column("group") == i ? column("x") : NaN)
forecast_name(i) = (groups > 1 ? label_of(i) : "forecast")
y_name = "execution time T (s)"
if (coloured) { set ylabel y_name } else { set title y_name }
eval decade_ticks("points", "T")
if (coloured) { set key maxrows 3 }
plot for [i=1:(coloured && T_forecast_count > 0 ? groups : 0)] curves using (of(i)):(column("T_forecast_low")):(column("T_forecast_high")) with filledcurves linetype i fillstyle transparent solid (groups > 3 ? 0.06 : 0.18) noborder title (i == 1 ? "90 % band" : ""), \
     for [i=1:(T_forecast_count > 0 ? groups : 0)] curves using (of(i)):(column("T_forecast")) with lines linetype i title forecast_name(i), \
     for [i=1:(T_ideal_count > 0 ? groups : 0)] curves using (of(i)):(column("T_ideal")) with lines linetype 8 linewidth 1 dashtype 2 title (i == 1 ? "ideal from the last run" : ""), \
     for [i=1:groups] points using (of(i)):(column("T")) with points linetype i pointtype 7 title (i == 1 ? "measured" : ""), \
     for [i=1:(T_left_out_count > 0 ? groups : 0)] more using (of(i)):(column("T_left_out")) with points linetype i pointtype 6 pointsize 1.2 title (i == 1 ? "forecast from the runs before" : "")
unset logscale y
unset ytics
set ytics nomirror out autofreq
set format y "%g"
set yrange [0:1.05*larger(1, larger(E_most, E_forecast_count > 0 ? E_forecast_high_most : 0))]
y_name = "efficiency against the smallest p (1)"
if (coloured) { set ylabel y_name } else { set title y_name }
if (E_count == 0) {
    set yrange [0:1]
    unset ytics
    set label 1 "mixed scaling has no efficiency" at graph 0.5,0.5 center
}
plot for [i=1:(coloured && E_forecast_count > 0 ? groups : 0)] curves using (of(i)):(column("E_forecast_low")):(column("E_forecast_high")) with filledcurves linetype i fillstyle transparent solid (groups > 3 ? 0.06 : 0.18) noborder title (i == 1 ? "90 % band" : ""), \
     for [i=1:(E_forecast_count > 0 ? groups : 0)] curves using (of(i)):(column("E_forecast")) with lines linetype i title forecast_name(i), \
     for [i=1:(E_count > 0 ? groups : 0)] points using (of(i)):(column("E")) with points linetype i pointtype 7 title (i == 1 ? "measured" : ""), \
     for [i=1:(E_count > 0 ? 1 : 0)] (E_count > 0 ? 1 : NaN) with lines linetype 8 linewidth 1 dashtype 2 title "ideal", \
     for [i=1:(E_count > 0 ? 0 : 1)] (E_count > 0 ? NaN : 2) notitle
unset multiplot
