# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Draws the figures of the experiment incast as PNG and SVG, with gnuplot 5.2 or later:
#
#   cd results/incast && gnuplot figures.gp
#   gnuplot -e "dir='results/incast'" examples/incast/incast.gp
#
# It reads these files of the folder, each with one line of column names:
#
#   queue-SCENARIO-SCHEME.csv  time_s,occupancy_byte,buf_thrd_byte,ecn_thrd_byte,region
#   totals.csv                 scenario,scheme,goodput,...,fct_p50,fct_p99,...
#
# and writes queue-SCENARIO, the queue of the receiver's port over time, and fct-SCENARIO, the
# completion times, each as .png and .svg.

if (!exists("dir")) dir = "."
cd dir

formats = "png svg"

# Colors that color-blind readers can tell apart (Okabe and Ito)
schemes = "off static red coupled"
scheme_colors = "#595959 #E69F00 #CC79A7 #009E73"

set encoding utf8
set datafile separator ","
set border 3 linewidth 1 linecolor rgb "#404040"
set grid ytics linecolor rgb "#D9D9D9"
set key outside right top

scenarios = "incast remote"

# The number of rows of a file below its line of names; 0 if it does not exist
rows(file) = int(system("cat ".file." 2>/dev/null | wc -l")) - 1
# The number of rows of a scenario in totals.csv
rows_of(scenario) = int(system("cat totals.csv 2>/dev/null | grep -c '^".scenario.",'"))
series(scenario, scheme) = "queue-".scenario."-".scheme.".csv"

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

# Half of the confidence interval of a metric of totals.csv; 0 where there was one run
has_intervals = int(system("head -1 totals.csv 2>/dev/null | grep -c _ci95"))
positive(x) = x > 0 ? x : 0
half(name) = has_intervals ? positive(column(name."_ci95")) : 0
# What titles say where no metric of totals.csv has an interval
one_run = int(system("cat totals.csv 2>/dev/null | awk -F, 'NR == 1 {for (i = 3; i <= NF; ++i) " \
    ."if ($i ~ /_ci95$/) is[i]; next} {for (i in is) n += $i ~ /^[0-9]/} END {print n + 0}'")) > 0 \
    ? "" : " (one run)"

place(scheme) = sum [i = 1:words(schemes)] (word(schemes, i) eq scheme ? i : 0)
color(scheme) = word(scheme_colors, place(scheme))
# Queues of schemes that do the same lie on each other: those below are wider.
width(scheme) = 5.5 - place(scheme)

do for [scenario in scenarios] {
    drawn = ""
    do for [scheme in schemes] {
        if (rows(series(scenario, scheme)) > 1) {
            drawn = drawn." ".scheme
        }
    }
    if (words(drawn) > 0) {
        do for [format in formats] {
            eval terminal(format)
            set output "queue-".scenario.".".format
            set title scenario.": queue of the receiver's port"
            set xlabel "Time (us)"
            set ylabel "Queue (kB)"
            set yrange [0:*]
            plot for [scheme in drawn] series(scenario, scheme) skip 1 using (1e6 * $1):($2 / 1e3) \
                with lines linewidth width(scheme) linecolor rgb color(scheme) title scheme
            unset output
        }
    }
}
unset xlabel

set style data histogram
set style histogram errorbars gap 1 linewidth 1
set style fill solid
set xtics nomirror scale 0
set ytics nomirror
set key autotitle columnhead
array metrics[3] = ["fct_p50", "fct_mean", "fct_p99"]
array colors[3] = ["#56B4E9", "#0072B2", "#D55E00"]
do for [scenario in scenarios] {
    if (rows_of(scenario) > 0) {
        # Without a value there is no bar: a histogram without any would be an error.
        data = "< (head -1 totals.csv; grep '^".scenario.",' totals.csv | sed 's/-\\{0,1\\}nan/0/g')"
        do for [format in formats] {
            eval terminal(format)
            set output "fct-".scenario.".".format
            set title scenario.": flow completion times".one_run
            set ylabel "ms"
            set yrange [0:1e3 * top(scenario, "fct_p50 fct_mean fct_p99")]
            plot for [i = 1:3] data using (1e3 * column(metrics[i])):(1e3 * half(metrics[i])):xtic(2) \
                title metrics[i] linecolor rgb colors[i]
            unset output
        }
    }
}
