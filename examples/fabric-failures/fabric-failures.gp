# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Draws the figures of the experiment fabric-failures as PNG and SVG, with gnuplot 5.2 or later:
#
#   cd results/fabric-failures && gnuplot figures.gp
#   gnuplot -e "dir='results/fabric-failures'" examples/fabric-failures/fabric-failures.gp
#
# It reads this file of the folder, with one line of column names:
#
#   totals.csv  scenario,scheme,lost_packets,outage,...
#
# and writes outage, the time until no packet is lost, and lost, the packets that are lost, each
# over the scenarios and schemes, with a logarithmic scale, as .png and .svg. Where nothing is lost,
# there is no bar.

if (!exists("dir")) dir = "."
cd dir

formats = "png svg"

# Colors that color-blind readers can tell apart (Okabe and Ito)
schemes = "hold-time bfd link-loss plain graceful-restart drain"
scheme_colors = "#595959 #E69F00 #009E73 #CC79A7 #0072B2 #56B4E9"
scenarios = "link spine silent-link silent-direction silent-spine restart-spine restart-leaf " \
    ."restart-failure maintenance"

set encoding utf8
set datafile separator ","
set border 3 linewidth 1 linecolor rgb "#404040"
set grid ytics linecolor rgb "#D9D9D9"
set key outside right top

terminal(format) = format eq "svg" \
    ? "set terminal svg noenhanced size 860,420 font 'sans-serif,13' background 'white'" \
    : "set terminal pngcairo noenhanced size 1720,840 font 'Sans,10' fontscale 2 linewidth 2 " \
      ."background 'white'"

rows_of(scenario) = int(system("cat totals.csv 2>/dev/null | grep -c '^".scenario.",'"))
rows_by(scheme) = int(system("cat totals.csv 2>/dev/null | grep -c '^[^,]*,".scheme.",'"))
# What titles say where no metric of totals.csv has an interval
one_run = int(system("cat totals.csv 2>/dev/null | awk -F, 'NR == 1 {for (i = 3; i <= NF; ++i) " \
    ."if ($i ~ /_ci95$/) is[i]; next} {for (i in is) n += $i ~ /^[0-9]/} END {print n + 0}'")) > 0 \
    ? "" : " (one run)"

names = ""
do for [scenario in scenarios] {
    if (rows_of(scenario) > 0) {
        names = names." ".scenario
    }
}
drawn = ""
do for [scheme in schemes] {
    if (rows_by(scheme) > 0) {
        drawn = drawn." ".scheme
    }
}

place(scheme) = sum [i = 1:words(schemes)] (word(schemes, i) eq scheme ? i : 0)
color(scheme) = word(scheme_colors, place(scheme))
# The three kinds of failures have at most three schemes each, which stand side by side.
shift(scheme) = scheme eq "hold-time" || scheme eq "plain" ? -0.27 : scheme eq "link-loss" ? 0.27 : 0
position(scenario) = sum [i = 1:words(names)] (word(names, i) eq scenario ? i : 0)
above(name) = column(name) > 0 ? column(name) : NaN
data(scheme) = "< (head -1 totals.csv; grep '^[^,]*,".scheme.",' totals.csv)"

array metrics[2] = ["outage", "lost_packets"]
array files[2] = ["outage", "lost"]
array titles[2] = ["Time from the failure until the last packet was lost", \
                   "Packets that are lost"]
array units[2] = ["s", "packets"]

if (words(names) > 0) {
    set boxwidth 0.25
    set style fill solid
    set logscale y
    set xtics nomirror rotate by -25 scale 0
    set ytics nomirror
    set xrange [0.5:words(names) + 0.5]
    do for [i = 1:words(names)] {
        set xtics add (word(names, i) i)
    }
    # A metric without any value above 0 has no logarithmic scale.
    set key autotitle columnhead
    do for [m = 1:2] {
        # "nan" is text, which awk would take for more than 0.
        some = int(system("awk -F, 'NR == 1 {for (i = 1; i <= NF; ++i) if ($i == \"".metrics[m] \
            ."\") c = i; next} $c !~ /nan/ && $c > 0 {++n} END {print n + 0}' totals.csv"))
        if (some > 0) {
            do for [format in formats] {
                eval terminal(format)
                set output files[m].".".format
                set title titles[m].one_run
                set ylabel units[m]
                set yrange [m == 1 ? 1e-7 : 1:*]
                set format y "%.0e"
                plot for [scheme in drawn] data(scheme) \
                    using (position(strcol(1)) + shift(scheme)):(above(metrics[m])) \
                    with boxes linecolor rgb color(scheme) title scheme
                unset output
            }
        }
    }
}
