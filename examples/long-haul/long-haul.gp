# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Draws the figures of the experiment long-haul as PNG and SVG, with gnuplot 5.2 or later:
#
#   cd results/long-haul && gnuplot figures.gp
#   gnuplot -e "dir='results/long-haul'" examples/long-haul/long-haul.gp
#
# It reads these files of the folder, each with one line of column names:
#
#   queue-incast-SCHEME.csv  time_s,occupancy_byte,buf_thrd_byte,ecn_thrd_byte,region
#   totals.csv                 scenario,scheme,goodput,link_share,...
#
# and writes share, what each scheme makes of the receiver's link in each scenario, and
# queue-incast, the queue of the far switch's port to the receiver over time, each as .png and
# .svg.

if (!exists("dir")) dir = "."
cd dir

formats = "png svg"

# Colors that color-blind readers can tell apart (Okabe and Ito)
schemes = "go-back-n selective-repeat reorder-window pfc"
scheme_colors = "#595959 #E69F00 #CC79A7 #009E73"

set encoding utf8
set datafile separator ","
set border 3 linewidth 1 linecolor rgb "#404040"
set grid ytics linecolor rgb "#D9D9D9"
set key outside right top

scenarios = "loss spray incast"

# The number of rows of a file below its line of names; 0 if it does not exist
rows(file) = int(system("cat ".file." 2>/dev/null | wc -l")) - 1
# The number of rows of a scenario in totals.csv
rows_of(scenario) = int(system("cat totals.csv 2>/dev/null | grep -c '^".scenario.",'"))
series(scenario, scheme) = "queue-".scenario."-".scheme.".csv"

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

do for [scenario in "incast"] {
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
            set title scenario.": queue of the far switch toward the receiver"
            set xlabel "Time (ms)"
            set ylabel "Queue (MB)"
            set yrange [0:*]
            plot for [scheme in drawn] series(scenario, scheme) skip 1 using (1e3 * $1):($2 / 1e6) \
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
names = ""
do for [scenario in scenarios] {
    if (rows_of(scenario) > 0) {
        names = names." ".scenario
    }
}
# A bar a scenario, for each scheme
values(scheme) = "< (head -1 totals.csv; grep '^[^,]*,".scheme.",' totals.csv | sed 's/-\\{0,1\\}nan/0/g')"
present = ""
do for [scheme in schemes] {
    if (int(system("grep -c '^[^,]*,".scheme.",' totals.csv")) > 0) {
        present = present." ".scheme
    }
}
if (words(names) > 0) {
    do for [format in formats] {
        eval terminal(format)
        set output "share.".format
        set title "Goodput as a share of what the receiver's link carries".one_run
        set ylabel "Share"
        set yrange [0:1.05]
        plot for [scheme in present] values(scheme) \
            using (column("link_share")):(half("link_share")):xtic(1) \
            title scheme linecolor rgb color(scheme)
        unset output
    }
}
