# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Draws the figures of the experiment csig-fabric as PNG and SVG, with gnuplot 5.2 or later:
#
#   cd results/csig-fabric && gnuplot figures.gp
#   gnuplot -e "dir='results/csig-fabric'" examples/csig-fabric/csig-fabric.gp
#
# It reads these files of the folder, each with one line of column names, and skips what is not
# there, and values that are nan:
#
#   accuracy.csv  scheme,signal,signals,error_mean,error_p99,bias,right_port,lag_s
#   heat-SCENARIO-SCHEME.csv  time_s,port,signal,signals,mean
#   totals.csv    scenario,scheme,goodput,fct_slowdown_mean,fct_slowdown_p99,dropped_packets,
#       rehashes,abw_error_mean,abw_lag,rank,detection_time
#
# and writes accuracy, heat-SCENARIO-SCHEME and totals, each as .png and .svg.

if (!exists("dir")) dir = "."
cd dir

estimators = "interval ewma dre"
# The scenarios in which the schemes' flows can be compared, and their schemes
scenarios = "hot-spot incast engineering"
schemes = "hash csig-blind csig-balancer equal csig-weights"
formats = "png svg"

# Colors that color-blind readers can tell apart (Okabe and Ito)
estimator_colors = "#0072B2 #E69F00 #009E73"
scheme_colors = "#595959 #E69F00 #009E73 #8C8C8C #56B4E9"
# Those that only figures of sweeps have
other_colors = "#CC79A7 #56B4E9 #595959 #E69F00 #009E73 #595959 #E69F00 #0072B2 #CC79A7 #009E73 " \
    ."#0072B2 #009E73 #E69F00"
others = "pass-through discard software idle-mesh loaded-mesh dcqcn round-trip max-pd ten-packets " \
    ."jump-start hpcc timely none"
# From light to dark, so that they are in order without their hue
set palette defined (0 "#F2F2F2", 0.05 "#FBE38E", 0.3 "#F0A83C", 0.6 "#D55E00", 1 "#4A1405")

set encoding utf8
set datafile separator ","
set datafile missing "nan"

# The number of rows of a file that begin with a text; 0 if it does not exist
rows(file, text) = int(system("[ ! -f ".file." ] && echo 0 || " \
    ."awk 'NR > 1 && /^".text."/ {++n} END {print n + 0}' ".file))
# The place of a word in a list, from 1; 0 if it is not there
place(list, name) = sum [i = 1:words(list)] (word(list, i) eq name ? i : 0)
larger(x, y) = x > y ? x : y
exists_at(n) = valid(n) && column(n) == column(n)

# How many columns behind a metric of totals.csv the half of its confidence interval stands; 0 if
# there are none. The interval is drawn where there were several runs.
ci_shift = int(system("head -1 totals.csv 2>/dev/null | awk -F, '{for (i = 3; i <= NF; ++i) " \
    ."{m += $i !~ /_ci95$/; n += $i ~ /_ci95$/}} END {print (n > 0 ? m : 0)}'"))
half(c) = ci_shift > 0 && exists_at(c + ci_shift) && column(c + ci_shift) > 0 \
    ? column(c + ci_shift) : 0
# What titles say where no metric of totals.csv has an interval
one_run = int(system("cat totals.csv 2>/dev/null | awk -F, 'NR == 1 {for (i = 3; i <= NF; ++i) " \
    ."if ($i ~ /_ci95$/) is[i]; next} {for (i in is) n += $i ~ /^[0-9]/} END {print n + 0}'")) > 0 \
    ? "" : " (one run)"
# Whether all schemes of a scenario have the same values in some columns of totals.csv, so that
# there is nothing to compare
are_alike(scenario, columns) = int(system("awk -F, '$1 == \"".scenario."\" {t = \"\"; ++rows; " \
    ."n = split(\"".columns."\", c, \" \"); for (i = 1; i <= n; ++i) t = t \",\" $c[i]; seen[t]} " \
    ."END {for (t in seen) ++m; print ((rows > 1 && m == 1) + 0)}' totals.csv"))

# One size in layout units for both formats; a PNG has four pixels for each square unit
terminal(format, width, height) = format eq "svg" \
    ? sprintf("set terminal svg noenhanced size %d,%d font 'sans-serif,13' background 'white'", \
              width, height) \
    : sprintf("set terminal pngcairo noenhanced size %d,%d font 'Sans,10' fontscale 2 " \
              ."linewidth 2 pointscale 2 background 'white'", 2 * width, 2 * height)
title_font(format) = format eq "svg" ? "sans-serif,15" : "Sans,12"
small_font(format) = format eq "svg" ? "sans-serif,10" : "Sans,7.5"

# --------------------------------------------------------------------------------------------------
# Error and lag of min(ABW) by estimator
# --------------------------------------------------------------------------------------------------

present = ""
do for [scheme in estimators] {
    present = present.(rows("accuracy.csv", scheme.",min(ABW),") > 0 ? " ".scheme : "")
}
if (present ne "") {
    # A panel's column, what it is multiplied by, and its name
    array columns[4] = [4, 5, 7, 8]
    array factors[4] = [100, 100, 100, 1e6]
    array names[4] = ["Mean error (% of the capacity)", "99th percentile of the error (%)", \
        "Tags that name the true bottleneck (%)", "Lag at the sender (us)"]
    do for [format in formats] {
        eval terminal(format, 1000, 330)
        small = small_font(format)
        set output "accuracy.".format
        set multiplot
        set label 1 "min(ABW) as tags report it against the truth, by how ports estimate" \
            at screen 0.05, screen 0.93 left font title_font(format)
        set border 3 linewidth 1 linecolor rgb "#404040"
        set tmargin at screen 0.76
        set bmargin at screen 0.1
        set boxwidth 0.7
        set style fill solid noborder
        set grid ytics linetype 1 linewidth 0.6 linecolor rgb "#D9D9D9"
        unset key
        set xrange [0.4:words(present) + 0.6]
        set yrange [0:*]
        set offsets 0, 0, graph 0.1, 0
        set xtics ("" 1) nomirror scale 0
        do for [k = 1:words(present)] {
            set xtics add (word(present, k) k)
        }
        set ytics out nomirror
        do for [i = 1:4] {
            set lmargin at screen 0.05 + (i - 1) * 0.24
            set rmargin at screen 0.05 + (i - 1) * 0.24 + 0.2
            set label 2 names[i] at graph 0, graph 1 offset 0, 0.9 left font small
            plot for [scheme in present] "accuracy.csv" skip 1 using \
                    (strcol(1) eq scheme && strcol(2) eq "min(ABW)" \
                    ? place(present, scheme) : NaN):(column(columns[i]) * factors[i]) \
                    with boxes linecolor rgb word(estimator_colors, place(estimators, scheme)), \
                "accuracy.csv" skip 1 using \
                    (strcol(2) eq "min(ABW)" ? place(present, strcol(1)) : NaN): \
                    (column(columns[i]) * factors[i]): \
                    (sprintf("%.3g", column(columns[i]) * factors[i])) \
                    with labels offset 0, 0.5 font small
            unset label 1
        }
        unset label 2
        unset multiplot
        unset output
    }
    set offsets
}

# --------------------------------------------------------------------------------------------------
# Heat map of the bottlenecks: the ports that are named most, by time
# --------------------------------------------------------------------------------------------------

most = 24 # ports

do for [file in system("ls heat-*.csv 2>/dev/null")] {
    name = file[6:strlen(file) - 4]
    # Signals of available bandwidth only, summed by port; the ports that are named most first
    chosen = "awk -F, 'NR > 1 && $3 ~ /ABW/ {n[$2] += $4} END {for (p in n) print n[p], p}' " \
        .file." | LC_ALL=C sort -k1,1nr -k2 | awk 'NR <= ".most." {print $2}'"
    ports = system(chosen)
    n = words(ports)
    if (n == 0) {
        print "No figure heat-".name.": no signal of available bandwidth came"
    }
    if (n > 0) {
        # The widths of time: the least difference of times is that of bins
        bin = real(system("awk -F, 'NR > 1 {t[$1]} END {for (a in t) print a}' ".file \
            ." | LC_ALL=C sort -g | awk 'NR > 1 && (!d || $1 - p < d) {d = $1 - p} {p = $1} " \
            ."END {print d + 0}'"))
        bin = bin > 0 ? bin : 1e-4
        # Of signals that are of one bin and port
        summed = "< awk -F, 'NR > 1 && $3 ~ /ABW/ {n[$1 \",\" $2] += $4} " \
            ."END {for (k in n) print k \",\" n[k]}' ".file
        height = 68.0 + n * 16 + 62
        do for [format in formats] {
            eval terminal(format, 1000, height)
            small = small_font(format)
            set output "heat-".name.".".format
            set label 1 name.": signals that name a port as the bottleneck, every " \
                .sprintf("%.4g us", bin * 1e6) at screen 0.015, screen 1 - 20 / height left \
                font title_font(format)
            set label 2 sprintf("The %d ports that are named most", n) \
                at screen 0.015, screen 1 - 44 / height left
            set lmargin at screen 0.3
            set rmargin at screen 0.92
            set tmargin at screen 1 - 68 / height
            set bmargin at screen 62 / height
            set border 15 linewidth 0.6 linecolor rgb "#A0A0A0"
            unset key
            unset grid
            set autoscale
            set yrange [n + 0.5:0.5]
            set xrange [0:*]
            set xtics autofreq out nomirror scale 1 textcolor rgb "#202020"
            set xlabel "Time (ms)"
            set ytics ("" 0) scale 0 font small textcolor rgb "#202020"
            do for [i = 1:n] {
                set ytics add (word(ports, i) i)
            }
            set cbrange [0:*]
            set colorbox user origin screen 0.935, screen 62 / height \
                size screen 0.015, screen larger(n * 16, 100) / height
            set cblabel "Signals" offset -0.5, 0 font small textcolor rgb "#202020"
            set cbtics font small textcolor rgb "#202020"
            plot summed using (y = place(ports, strcol(2)), y > 0 ? $1 * 1e3 : NaN):(y): \
                ($1 * 1e3):(($1 + bin) * 1e3):(y - 0.5):(y + 0.5):3 \
                with boxxyerror fillstyle solid noborder linecolor palette
            unset label
            unset output
        }
        unset xlabel
        unset ytics
    }
}

# --------------------------------------------------------------------------------------------------
# Totals: what the users of signals gain
# --------------------------------------------------------------------------------------------------

present = ""
do for [scenario in scenarios] {
    # A scenario in which all schemes have the same has nothing to compare
    alike = rows("totals.csv", scenario.",") > 0 && are_alike(scenario, "3 4 5 6")
    if (alike) {
        print "Not in totals: ".scenario.", where all schemes have the same"
    }
    do for [scheme in schemes] {
        present = present.(!alike && rows("totals.csv", scenario.",".scheme.",") > 0 \
            ? " ".scenario.",".scheme : "")
    }
}
n = words(present)
if (n > 0) {
    scheme_of(pair) = pair[strstrt(pair, ",") + 1:]
    scenario_of(pair) = pair[1:strstrt(pair, ",") - 1]
    array columns[4] = [3, 4, 5, 6]
    array factors[4] = [1e-12, 1, 1, 1]
    array names[4] = ["Goodput (Tbit/s)", "Mean FCT slowdown", \
        "99th percentile of the FCT slowdown", "Dropped packets"]
    do for [format in formats] {
        eval terminal(format, 1000, 700)
        small = small_font(format)
        set output "totals.".format
        set multiplot
        set border 3 linewidth 1 linecolor rgb "#404040"
        set boxwidth 0.7
        set style fill solid noborder
        unset key
        set autoscale
        set xrange [0.4:n + 0.6]
        set lmargin at screen 0.07
        set rmargin at screen 0.985
        set grid ytics linetype 1 linewidth 0.6 linecolor rgb "#D9D9D9"
        set ytics autofreq out nomirror scale 1
        do for [i = 1:4] {
            set tmargin at screen 1 - 0.06 - (i - 1) * 0.235
            set bmargin at screen 1 - 0.06 - (i - 1) * 0.235 - 0.16
            set xtics ("" 0) nomirror scale 0 font small
            do for [k = 1:n] {
                pair = word(present, k)
                set xtics add ((i == 4 ? scenario_of(pair)."\n".scheme_of(pair) : "") k)
            }
            set label 2 names[i].(i == 1 ? one_run : "") at graph 0, graph 1 offset 0, 0.6 left
            set yrange [*:*] # or stats would skip what is out of the last panel's range
            stats "totals.csv" skip 1 using (place(present, strcol(1).",".strcol(2)) > 0 \
                && valid(columns[i]) ? (column(columns[i]) + half(columns[i])) * factors[i] : 0) \
                nooutput
            set yrange [0:larger(1.15 * STATS_max, 1e-3)]
            plot for [k = 1:n] "totals.csv" skip 1 using \
                    (strcol(1).",".strcol(2) eq word(present, k) ? k : NaN): \
                    (column(columns[i]) * factors[i]) with boxes linecolor rgb \
                    word(scheme_colors, place(schemes, scheme_of(word(present, k)))), \
                "totals.csv" skip 1 using \
                    (k = place(present, strcol(1).",".strcol(2)), \
                        k > 0 && half(columns[i]) > 0 ? k : NaN): \
                    ((column(columns[i]) - half(columns[i])) * factors[i]):(0): \
                    (2 * half(columns[i]) * factors[i]) with vectors heads \
                    size screen 0.003, 90 linewidth 1 linecolor rgb "#000000", \
                "totals.csv" skip 1 using \
                    (k = place(present, strcol(1).",".strcol(2)), k > 0 ? k : NaN): \
                    ((column(columns[i]) + half(columns[i])) * factors[i]): \
                    (sprintf(i == 4 ? "%.0f" : "%.4g", column(columns[i]) * factors[i])) \
                    with labels offset 0, 0.5 font small
        }
        unset label 2
        unset multiplot
        unset output
    }
}
