# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Draws the figures of the experiment two-sites as PNG and SVG, with gnuplot 5.2 or later:
#
#   cd results/two-sites && gnuplot figures.gp
#   gnuplot -e "dir='results/two-sites'" examples/two-sites/two-sites.gp
#
# It reads totals.csv, with one line of column names:
#
#   scenario,scheme,step_time,pauses,unmarked_xoffs,migrations,load_imbalance,elephant_fct,...
#
# and writes step, the time of the training step, and mechanisms, what each mechanism is for, as .png
# and .svg.

if (!exists("dir")) dir = "."
cd dir

formats = "png svg"

# Colors that color-blind readers can tell apart (Okabe and Ito)
schemes = "baseline coupled-ecn flow-set fare pre-ecn csig all"
scheme_colors = "#595959 #0072B2 #009E73 #CC79A7 #56B4E9 #E69F00 #D55E00"

array metrics[6] = ["unmarked_xoffs", "load_imbalance", "degraded_share", "reaction_time", \
                    "wan_drops", "waiting_port_named"]
array titles[6] = ["coupled ECN: XOFFs before any mark", "flow sets: imbalance of uplinks", \
                   "FARE: share of the degraded link", "pre-ECN: reaction to congestion, ms", \
                   "pre-ECN: drops in the WAN", "CSIG: bottlenecks named rightly"]
array factors[6] = [1, 1, 1, 1e3, 1, 1]

set encoding utf8
set datafile separator ","
set border 3 linewidth 1 linecolor rgb "#404040"

# Half of the confidence interval of a metric of totals.csv; 0 where there was one run
has_intervals = int(system("head -1 totals.csv 2>/dev/null | grep -c _ci95"))
half(name) = has_intervals ? positive(column(name."_ci95")) : 0
positive(x) = x > 0 ? x : 0

# The row of a scheme, under the names of the columns; without a value there is no bar
row(scheme) = "< (head -1 totals.csv; grep '^[^,]*,".scheme.",' totals.csv | sed 's/-\\{0,1\\}nan/0/g')"
has(scheme) = int(system("cat totals.csv 2>/dev/null | grep -c '^[^,]*,".scheme.",'"))

size(format, width, height) = format eq "svg" \
    ? sprintf("set terminal svg noenhanced size %d,%d font 'sans-serif,12' background 'white'", width, height) \
    : sprintf("set terminal pngcairo noenhanced size %d,%d font 'Sans,9' fontscale 2 linewidth 2 " \
              ."background 'white'", 2 * width, 2 * height)

set style fill solid
set boxwidth 0.7
set xtics nomirror scale 0 rotate by -30
set ytics nomirror
set yrange [0:*]
set xrange [0.4:words(schemes) + 0.6]
set grid ytics linecolor rgb "#D9D9D9"
set key autotitle columnhead
unset key

set macros
present = ""
set xtics ()
do for [i = 1:words(schemes)] {
    if (has(word(schemes, i)) > 0) {
        present = present." ".i
        set xtics add (word(schemes, i) i)
    }
}

bars(metric, factor) = sprintf( \
    "plot for [i in present] row(word(schemes, int(i))) using (int(i)):(%g * column('%s')):(%g * half('%s')) " \
    ."with boxerrorbars linecolor rgb word(scheme_colors, int(i))", factor, metric, factor, metric)

if (words(present) > 0) {
    do for [format in formats] {
        eval size(format, 760, 420)
        set output "step.".format
        set title "two-sites: the time of a training step" noenhanced
        set ylabel "ms"
        eval bars("step_time", 1e3)
        unset output
        unset ylabel

        eval size(format, 1000, 640)
        set output "mechanisms.".format
        set multiplot layout 2,3
        do for [j = 1:6] {
            set title titles[j] noenhanced
            eval bars(metrics[j], factors[j])
        }
        unset multiplot
        unset output
    }
}
