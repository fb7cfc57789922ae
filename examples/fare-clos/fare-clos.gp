# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Draws the figures of the experiment fare-clos as PNG and SVG, with gnuplot 5.2 or later:
#
#   cd results/fare-clos && gnuplot figures.gp
#   gnuplot -e "dir='results/fare-clos'" examples/fare-clos/fare-clos.gp
#
# It reads totals.csv and, of each scenario and scheme, the series goodput (time_s, goodput_bps,
# changed_bps) and weights (time_s, switch, prefix, port, weight_byteps). It writes, as .png and
# .svg,
#
#   shares                     throughput of permutation and all-to-all, as shares of the bound
#   timeline-SCENARIO          throughput of the permutation over time, of each scheme
#   weights-SCENARIO-SCHEME    the weights of the route to the first leaf at the leaf that sends
#                              to it

if (!exists("dir")) dir = "."
cd dir

scenarios = "intact-3 one-link-lost-3 member-lost-3 degraded-3 " \
    ."intact-5 one-link-lost-5 member-lost-5 degraded-5 degraded-core-5 loaded"
schemes = "ecmp fare ecmp-spray fare-spray fare-share fare-share-spray " \
    ."fare-available fare-available-spray flow-set"
formats = "png svg"
BOUND = "max-flow"

# Colors that color-blind readers can tell apart (Okabe and Ito, and one of Tol)
scheme_colors = "#E69F00 #009E73 #D55E00 #0072B2 #CC79A7 #56B4E9 #882255 #000000 #F0E442 #595959"
colored_schemes = "ecmp fare ecmp-spray fare-spray fare-share fare-share-spray " \
    ."fare-available fare-available-spray flow-set max-flow"
port_colors = "#0072B2 #56B4E9 #D55E00 #E69F00 #009E73 #CC79A7 #595959 #000000"
GRAY = "#595959"

set encoding utf8
set datafile separator ","
set border 3 linewidth 1 linecolor rgb "#404040"
set ytics nomirror
set grid ytics linecolor rgb "#D9D9D9"

# The number of a file's rows with a text; 0 if there is no file
count(file, text) = int(system("cat ".file." 2>/dev/null | grep -c '".text."'"))

# A column of totals.csv of a scenario and a scheme
total(scenario, scheme, name) = real(system("awk -F, 'NR == 1 {for (i = 1; i <= NF; ++i) " \
    ."if ($i == \"".name."\") n = i} $1 == \"".scenario."\" && $2 == \"".scheme."\" " \
    ."{print $n}' totals.csv"))

# What titles say where no metric of totals.csv has an interval
one_run = int(system("cat totals.csv 2>/dev/null | awk -F, 'NR == 1 {for (i = 3; i <= NF; ++i) " \
    ."if ($i ~ /_ci95$/) is[i]; next} {for (i in is) n += $i ~ /^[0-9]/} END {print n + 0}'")) > 0 \
    ? "" : " (one run)"

# Half of the confidence interval of such a column; 0 where there is none
half(scenario, scheme, name) = (h = total(scenario, scheme, name."_ci95"), h == h ? h : 0)

size(format, height) = format eq "svg" \
    ? sprintf("set terminal svg noenhanced size 860,%d font 'sans-serif,13' background 'white'", height) \
    : sprintf("set terminal pngcairo noenhanced size 1720,%d font 'Sans,10' fontscale 2 linewidth 2 background 'white'", 2 * height)

# --------------------------------------------------------------------------------------------------
# Shares of the bound
# --------------------------------------------------------------------------------------------------

present = ""
do for [scenario in scenarios] {
    present = present.(count("totals.csv", "^".scenario.",") > 0 ? " ".scenario : "")
}
found = ""
do for [scheme in schemes] {
    found = found.(count("totals.csv", ",".scheme.",") > 0 ? " ".scheme : "")
}
color(scheme) = word(scheme_colors, sum [i = 1:words(schemes)] (word(schemes, i) eq scheme ? i : 0))

# The name of a scenario, and below it the fabric's stages, so that names fit beside each other
in_two_lines(name) = name eq "loaded" ? name : name[1:strlen(name) - 2]."\n".name[strlen(name):]." stages"

if (words(present) > 0 && words(found) > 0) {
    n = words(present)
    bar = 0.8 / words(found)
    do for [format in formats] {
        eval size(format, 560)
        set output "shares.".format
        set multiplot layout 2,1 title "fare-clos: throughput relative to the bound".one_run
        set style fill solid noborder
        set boxwidth 0.9 * bar
        set xrange [0.5:n + 0.5]
        set yrange [0:1.05]
        set xtics ("" 0) nomirror scale 0
        do for [i = 1:n] {
            set xtics add (in_two_lines(word(present, i)) i)
        }
        set key outside center top horizontal
        set bmargin 3
        set errorbars (one_run eq "" ? 0.6 : 0)
        do for [name in "bound_share all_to_all_bound_share"] {
            set ylabel name eq "bound_share" ? "permutation" : "all-to-all"
            plot for [k = 1:words(found)] "+" using \
                ($0 < n ? $0 + 1 + bar * (k - (words(found) + 1) / 2.0) : NaN): \
                ($0 < n ? total(word(present, int($0) + 1), word(found, k), name) : NaN) \
                with boxes linecolor rgb color(word(found, k)) \
                title (name eq "bound_share" ? word(found, k) : ""), \
                for [k = 1:words(found)] "+" using \
                ($0 < n ? $0 + 1 + bar * (k - (words(found) + 1) / 2.0) : NaN): \
                ($0 < n ? total(word(present, int($0) + 1), word(found, k), name) : NaN): \
                ($0 < n ? half(word(present, int($0) + 1), word(found, k), name) : NaN) \
                with yerrorbars pointtype -1 linecolor rgb "#000000" notitle, \
                1 with lines linecolor rgb GRAY dashtype 2 notitle
        }
        unset multiplot
        unset output
        set key vertical
        set bmargin -1
    }
}

# --------------------------------------------------------------------------------------------------
# Throughput over time
# --------------------------------------------------------------------------------------------------

series(scenario, scheme) = "goodput-".scenario."-".scheme.".csv"
has(scenario, scheme) = count(series(scenario, scheme), "^[0-9]") > 0
do for [scenario in scenarios] {
    some = ""
    do for [scheme in schemes] {
        some = some.(has(scenario, scheme) ? " ".scheme : "")
    }
    if (words(some) > 0) {
        bound = count("totals.csv", "^".scenario.",".BOUND) > 0 ? total(scenario, BOUND, "goodput") : NaN
        do for [format in formats] {
            eval size(format, 360)
            set output "timeline-".scenario.".".format
            set title "fare-clos, ".scenario.": permutation"
            set xrange [0:*]
            set yrange [0:*]
            set xtics autofreq nomirror scale 0.5
            set xlabel "time from the first message, ms"
            set ylabel "Gbit/s"
            set key outside right top
            plot for [scheme in some] series(scenario, scheme) every ::1 using (1e3 * $1):($2 / 1e9) \
                    with lines linewidth 1.5 linecolor rgb color(scheme) title scheme, \
                series(scenario, word(some, 1)) every ::1 using (1e3 * $1):(bound / 1e9) \
                    with lines dashtype 2 linecolor rgb GRAY title (bound > 0 ? BOUND : "")
            unset output
        }
        unset title
    }
}

# --------------------------------------------------------------------------------------------------
# Weights over time
# --------------------------------------------------------------------------------------------------

do for [scenario in scenarios] {
    do for [scheme in "fare fare-spray fare-share fare-share-spray fare-available fare-available-spray"] {
        file = "weights-".scenario."-".scheme.".csv"
        if (count(file, ",10.0.0.0/") > 0 && has(scenario, scheme)) {
            ports = system("grep ',10.0.0.0/' ".file." | cut -d, -f4 | sort -u")
            # Time counts from when traffic begins; the last weights hold until the end.
            end = 1e3 * real(system("tail -1 ".series(scenario, scheme)." | cut -d, -f1"))
            rows(port) = sprintf("< awk -F, '$4 == \"%s\" && $3 ~ /^10\\.0\\.0\\.0\\// {t = 1e3 * $1 - 10; " \
                ."print (t < 0 ? 0 : t) \",\" $5; last = $5} END {print %g \",\" last}' %s", port, end, file)
            do for [format in formats] {
                eval size(format, 360)
                set output "weights-".scenario."-".scheme.".".format
                set title "fare-clos, ".scenario.", ".scheme.": weights of the route to the first leaf"
                set xrange [0:end]
                set yrange [0:*]
                set offsets 0, 0, graph 0.1, 0
                set xtics autofreq nomirror scale 0.5
                set xlabel "time from the first message, ms"
                set ylabel "GB/s"
                set key outside right top
                # Lines that lie on each other are as wide as to be seen below.
                plot for [i = 1:words(ports)] rows(word(ports, i)) using 1:($2 / 1e9) with steps \
                    linewidth 1.5 * (words(ports) - i + 1) linecolor rgb word(port_colors, i) title word(ports, i)
                unset output
                set offsets
                unset title
            }
        }
    }
}
