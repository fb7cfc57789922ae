# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Draws the figure of the experiment weight-tables as PNG and SVG, with gnuplot 5.2 or later:
#
#   cd results/weight-tables && gnuplot figures.gp
#   gnuplot -e "dir='results/weight-tables'" examples/weight-tables/weight-tables.gp
#
# It reads totals.csv (scenario,scheme,oversubscription_max,...) and writes oversubscription, what the
# worst next hop gets too much over the size of the table, as .png and .svg.

if (!exists("dir")) dir = "."
cd dir

kinds = "one all"
about(kind) = kind eq "one" ? "one link of eight is degraded" : "all links are degraded"
schemes = "ecmp percent fill wcmp percent-wcmp"
titles = "'equal shares' 'FRR, percents' 'largest remainder' 'WCMP reduction' 'WCMP reduction of percents'"
formats = "png svg"

# Colors that color-blind readers can tell apart (Okabe and Ito); points have a shape each besides
scheme_colors = "#595959 #E69F00 #CC79A7 #0072B2 #56B4E9"
scheme_points = "5 9 7 11 13"

# Below this many percent too much a table is as good as exact, and an axis in decades needs an end.
LEAST = 0.01

set encoding utf8
set border 3 linewidth 1 linecolor rgb "#404040"
set grid ytics linecolor rgb "#D9D9D9"
set xtics nomirror (16, 32, 64, 128, 256, 512)
set ytics nomirror
set logscale x 2
set logscale y 10
set format y "%g"
set xrange [14:590]
set yrange [LEAST:2000]
set xlabel "Entries of the table"

# The sizes of a kind's tables and the oversubscription of the worst group, of a scheme
data(kind, scheme) = "< awk -F, 'NR == 1 {for (i = 1; i <= NF; ++i) if ($i == \"oversubscription_max\") " \
    ."n = i} $2 == \"".scheme."\" && $1 ~ /^".kind."-/ {print substr($1, ".(strlen(kind) + 2)."), $n}' " \
    ."totals.csv 2>/dev/null"
rows(kind, scheme) = int(system("grep -c '^".kind."-[0-9]*,".scheme.",' totals.csv 2>/dev/null"))
excess(x) = 100 * (x - 1) > LEAST ? 100 * (x - 1) : LEAST

found = ""
do for [kind in kinds] {
    any = 0
    do for [scheme in schemes] {
        any = any + rows(kind, scheme)
    }
    found = found.(any > 0 ? " ".kind : "")
}

if (words(found) > 0) {
    do for [format in formats] {
        if (format eq "svg") {
            eval sprintf("set terminal svg noenhanced size %d,400 font 'sans-serif,13' background 'white'", 440 * words(found) + 40)
        } else {
            eval sprintf("set terminal pngcairo noenhanced size %d,800 font 'Sans,10' fontscale 2 linewidth 2 background 'white'", 880 * words(found) + 80)
        }
        set output "oversubscription.".format
        set multiplot layout 1,words(found)
        do for [kind in found] {
            drawn = ""
            do for [scheme in schemes] {
                drawn = drawn.(rows(kind, scheme) > 0 ? " ".scheme : "")
            }
            place(scheme) = sum [i = 1:words(schemes)] (word(schemes, i) eq scheme ? i : 0)
            set title about(kind)
            set ylabel kind eq word(found, 1) ? "Excess traffic of the worst next hop (%)" : ""
            if (kind eq word(found, words(found))) { set key on left bottom Left reverse } else { set key off }
            plot for [scheme in drawn] data(kind, scheme) using 1:(excess($2)) with linespoints \
                linewidth 2 pointtype int(word(scheme_points, place(scheme))) \
                linecolor rgb word(scheme_colors, place(scheme)) title word(titles, place(scheme))
        }
        unset multiplot
        unset output
    }
}
