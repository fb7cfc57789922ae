# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Draws the figure of the experiment gpu-servers as PNG and SVG, with gnuplot 5.2 or later:
#
#   cd results/gpu-servers && gnuplot figures.gp
#   gnuplot -e "dir='results/gpu-servers'" examples/gpu-servers/gpu-servers.gp
#
# It reads totals.csv of the folder (scenario,scheme,completion_time,...), and writes totals, the
# time of each scenario, as .png and .svg.

if (!exists("dir")) dir = "."
cd dir

formats = "png svg"

# Colors that color-blind readers can tell apart (Okabe and Ito)
schemes = "dcqcn swift hpcc none timely"
scheme_colors = "#595959 #CC79A7 #0072B2 #E69F00 #009E73"

set encoding utf8
set datafile separator ","
set border 3 linewidth 1 linecolor rgb "#404040"
set grid ytics linecolor rgb "#D9D9D9"
set key outside right top

# The number of a scheme's rows in totals.csv
rows_of(scheme) = int(system("cat totals.csv 2>/dev/null | grep -c '^[^,]*,".scheme.",'"))

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


# A bar a scenario, for each scheme
values(scheme) = "< (head -1 totals.csv; grep '^[^,]*,".scheme.",' totals.csv | sed 's/-\\{0,1\\}nan/0/g')"
drawn = ""
do for [scheme in schemes] {
    if (rows_of(scheme) > 0) {
        drawn = drawn." ".scheme
    }
}
if (words(drawn) > 0) {
    set style data histogram
    set style histogram errorbars gap 1 linewidth 1
    set style fill solid
    set xtics nomirror scale 0
    set ytics nomirror
    do for [format in formats] {
        eval terminal(format)
        set output "totals.".format
        set title "Time".one_run
        set ylabel "ms"
        set yrange [0:1e3 * top("[^,]*", "completion_time")]
        plot for [scheme in drawn] values(scheme) \
            using (1e3 * column("completion_time")):(1e3 * half("completion_time")):xtic(1) \
            title scheme linecolor rgb color(scheme)
        unset output
    }
}
