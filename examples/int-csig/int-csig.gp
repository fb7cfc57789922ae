# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Draws the figures of the experiment int-csig as PNG and SVG, with gnuplot 5.2 or later:
#
#   cd results/int-csig && gnuplot figures.gp
#   gnuplot -e "dir='results/int-csig'" examples/int-csig/int-csig.gp
#
# It reads these files of the folder, each with one line of column names:
#
#   rates-joins-SCHEME.csv  time_s,sender_0_bit_s,sender_1_bit_s,...
#   totals.csv              scenario,scheme,goodput,overhead,...
#
# and writes rates-SCHEME, the rates of the senders that join one after another, and totals, what
# each scheme sends beside payload, each as .png and .svg.

if (!exists("dir")) dir = "."
cd dir

formats = "png svg"

# Colors that color-blind readers can tell apart (Okabe and Ito)
schemes = "int csig csig-draft swift-csig swift dcqcn"
scheme_colors = "#0072B2 #D55E00 #E69F00 #009E73 #CC79A7 #595959"

set encoding utf8
set datafile separator ","
set border 3 linewidth 1 linecolor rgb "#404040"
set grid ytics linecolor rgb "#D9D9D9"
set key outside right top

# The number of rows of a file below its line of names; 0 if it does not exist
rows(file) = int(system("cat ".file." 2>/dev/null | wc -l")) - 1
series(scheme) = "rates-joins-".scheme.".csv"
# The number of a scheme's rows in a scenario of totals.csv
rows_of(scenario, scheme) = int(system("cat totals.csv 2>/dev/null | grep -c '^".scenario.",".scheme.",'"))

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

do for [scheme in schemes] {
    if (rows(series(scheme)) > 1) {
        n = int(system("head -1 ".series(scheme)." | tr ',' '\\n' | wc -l")) - 1
        do for [format in formats] {
            eval terminal(format)
            set output "rates-".scheme.".".format
            set title scheme.": rates of senders that join one after another"
            set xlabel "Time (ms)"
            set ylabel "Gbit/s"
            set yrange [0:100]
            plot for [i = 1:n] series(scheme) skip 1 using (1e3 * $1):(column(i + 1) / 1e9) \
                with lines linewidth 1.5 title sprintf("sender %d", i - 1)
            unset output
        }
    }
}
unset xlabel

# A scenario that was run
first = ""
do for [scenario in "mix incast joins"] {
    do for [scheme in schemes] {
        if (rows_of(scenario, scheme) > 0) {
            first = scenario
        }
    }
}
if (strlen(first) > 0) {
    set style data histogram
    set style histogram errorbars gap 1 linewidth 1
    set style fill solid
    set xtics nomirror scale 0
    set ytics nomirror
    data = "< (head -1 totals.csv; grep '^".first.",' totals.csv | sed 's/-\\{0,1\\}nan/0/g')"
    do for [format in formats] {
        eval terminal(format)
        set output "totals.".format
        set title first.": overhead".one_run
        set ylabel "% of payload"
        set yrange [0:100 * top(first, "overhead")]
        unset key
        plot data using (100 * column("overhead")):(100 * half("overhead")):xtic(2) \
            linecolor rgb "#0072B2"
        unset output
    }
}
