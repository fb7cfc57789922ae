# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Draws the figures of the experiment ai-training as PNG and SVG, with gnuplot 5.2 or later:
#
#   cd results/ai-training && gnuplot figures.gp
#   gnuplot -e "dir='results/ai-training'" examples/ai-training/ai-training.gp
#
# It reads totals.csv, with one line of column names:
#
#   scenario,scheme,completion_time,gain,bus_bandwidth,wait_pause,wait_rate,wait_window,...
#
# and writes step-SCENARIO, the time of a step and what a rank's queue pairs have waited for, as .png
# and .svg.

if (!exists("dir")) dir = "."
cd dir

scenarios = "quiet storage two-jobs checkpoint restart"
formats = "png svg"

# Colors that color-blind readers can tell apart (Okabe and Ito)
array colors[4] = ["#595959", "#D55E00", "#E69F00", "#56B4E9"]
# Of schemes, in figures of sweeps
colored_schemes = "baseline flow-set coupled-ecn swift-csig all"
scheme_colors = "#595959 #009E73 #0072B2 #E69F00 #D55E00"
array columns[4] = ["completion_time", "wait_pause", "wait_rate", "wait_window"]
array titles[4] = ["the step", "waits: pause", "waits: rate", "waits: window"]

set encoding utf8
set datafile separator ","
set border 3 linewidth 1 linecolor rgb "#404040"

# The number of rows of a scenario; 0 if there is no file
rows(scenario) = int(system("cat totals.csv 2>/dev/null | grep -c '^".scenario.",'"))

# Half of the confidence interval of a metric of totals.csv; 0 where there was one run
has_intervals = int(system("head -1 totals.csv 2>/dev/null | grep -c _ci95"))
half(name) = has_intervals ? positive(column(name."_ci95")) : 0
positive(x) = x > 0 ? x : 0
# What titles say where no metric of totals.csv has an interval
one_run = int(system("cat totals.csv 2>/dev/null | awk -F, 'NR == 1 {for (i = 3; i <= NF; ++i) " \
    ."if ($i ~ /_ci95$/) is[i]; next} {for (i in is) n += $i ~ /^[0-9]/} END {print n + 0}'")) > 0 \
    ? "" : " (one run)"

# The upper end of an axis: the highest bar of some metrics in some rows, with its interval, which
# gnuplot leaves out
top(rows, names) = real(system("awk -F, -v names='".names."' 'function is(x) {return x ~ /^[0-9]/ ? x : 0} " \
    ."NR == 1 {for (i = 1; i <= NF; ++i) c[$i] = i; n = split(names, name, \" \"); next} " \
    ."/^".rows.",/ {for (i = 1; i <= n; ++i) {v = is($c[name[i]]); e = c[name[i] \"_ci95\"]; " \
    ."v += e ? is($e) : 0; if (v > m) m = v}} END {print (m > 0 ? 1.05 * m : 1)}' totals.csv"))

terminal(format) = format eq "svg" \
    ? "set terminal svg noenhanced size 760,420 font 'sans-serif,13' background 'white'" \
    : "set terminal pngcairo noenhanced size 1520,840 font 'Sans,10' fontscale 2 linewidth 2 " \
      ."background 'white'"

set style data histogram
set style histogram errorbars gap 1 linewidth 1
set style fill solid
set xtics nomirror scale 0 rotate by -20
set ytics nomirror
set ylabel "ms"
set key autotitle columnhead outside right top
set grid ytics linecolor rgb "#D9D9D9"

do for [scenario in scenarios] {
    if (rows(scenario) > 0) {
        # Without a value there is no bar: a histogram without any would be an error.
        data = "< (head -1 totals.csv; grep '^".scenario.",' totals.csv | sed 's/-\\{0,1\\}nan/0/g')"
        do for [format in formats] {
            eval terminal(format)
            set output "step-".scenario.".".format
            set title "ai-training, ".scenario.": step time, and what a rank waits for".one_run noenhanced
            set yrange [0:1e3 * top(scenario, "completion_time wait_pause wait_rate wait_window")]
            plot for [i = 1:4] data using (1e3 * column(columns[i])):(1e3 * half(columns[i])):xtic(2) \
                title titles[i] linecolor rgb colors[i]
            unset output
        }
    }
}
