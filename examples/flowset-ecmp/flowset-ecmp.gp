# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Draws the figures of the experiment flowset-ecmp as PNG and SVG, with gnuplot 5.2 or later:
#
#   cd results/flowset-ecmp && gnuplot figures.gp
#   gnuplot -e "dir='results/flowset-ecmp'" examples/flowset-ecmp/flowset-ecmp.gp
#
# It reads these files of the folder, each with one line of column names, and skips what is not
# there, and values that are nan or empty:
#
#   slowdown.csv  scenario,scheme,bin_low_byte,bin_high_byte,flows,slowdown_p50,slowdown_p99,
#       slowdown_mean, of flows by size
#   cqi-SCENARIO-SCHEME.csv  time_s,port,cqi,queue_byte
#       of ports SWITCH:PEER; all of them are assessed at one interval, from time 0 on. An SVG takes
#       about 100 bytes for each CQI above 0.
#   totals.csv    scenario,scheme,fct_slowdown_mean,fct_slowdown_p50,fct_slowdown_p99,
#       reordered_packets,load_imbalance,migrations,dropped_packets,lost_packets
#
# and writes slowdown-SCENARIO, cqi-SCENARIO-SCHEME and totals, each as .png and .svg.

if (!exists("dir")) dir = "."
cd dir

scenarios = "load-30 load-50 load-80 elephants failure surge fat-tree saturated asymmetric file"
schemes = "hash-ecmp flowlet spray flow-set flow-set-flowlet flow-set-literal flow-set-full " \
    ."flow-set-none"
formats = "png svg"

# What the scenarios are, for the figures' titles
about(scenario) = scenario[1:5] eq "load-" \
    ? scenario.": flows between any hosts, at ".scenario[6:]." % of the uplinks' rate" \
    : scenario eq "elephants" ? "elephants: as many long flows from leaf to leaf as uplinks" \
    : scenario eq "failure" ? "failure: load-30, while an uplink fails and comes back" \
    : scenario eq "surge" ? "surge: load-30, and all hosts of a leaf send to the next one" \
    : scenario eq "saturated" ? "saturated: all hosts of a leaf send to the next one" \
    : scenario eq "asymmetric" ? "asymmetric: elephants; the links of one spine are slower" \
    : scenario eq "fat-tree" ? "fat-tree: load-30 on a fat-tree" : "flows of a file"

# Colors that color-blind readers can tell apart (Okabe and Ito); points have a shape each besides
scheme_colors = "#595959 #E69F00 #56B4E9 #009E73 #CC79A7 #0072B2 #D55E00 #000000"
scheme_points = "5 9 11 7 13 4 6 8"
# From light to dark, so that they are in order without their hue
set palette defined (0 "#F2F2F2", 0.9 "#F2F2F2", 1 "#FBE38E", 4 "#F0A83C", 8 "#D55E00", \
    12 "#8C2D19", 16 "#2B0A12")

set encoding utf8
set datafile separator ","
set border 3 linewidth 1 linecolor rgb "#404040"

# The number of rows of a file that begin with a text; 0 if it does not exist
rows(file, text) = int(system("[ ! -f ".file." ] && echo 0 || " \
    ."awk 'NR > 1 && /^".text."/ {++n} END {print n + 0}' ".file))

# One size in layout units for both formats; a PNG has four pixels for each square unit
terminal(format, width, height) = format eq "svg" \
    ? sprintf("set terminal svg noenhanced size %d,%d font 'sans-serif,13' background 'white'", \
              width, height) \
    : sprintf("set terminal pngcairo noenhanced size %d,%d font 'Sans,10' fontscale 2 " \
              ."linewidth 2 pointscale 2 background 'white'", 2 * width, 2 * height)
title_font(format) = format eq "svg" ? "sans-serif,15" : "Sans,12"
small_font(format) = format eq "svg" ? "sans-serif,10" : "Sans,7.5"

# A number of bytes as people write it
bytes(x) = x < 1e3 ? sprintf("%.0f B", x) : x < 1e6 ? sprintf("%.4g kB", x / 1e3) \
    : x < 1e9 ? sprintf("%.4g MB", x / 1e6) : sprintf("%.4g GB", x / 1e9)

# A number as short as figures need it; a whole one where it is on an axis
short(x) = x < 9.95 ? sprintf("%.2g", x) : x < 999.5 ? sprintf("%.0f", x) \
    : x < 9950 ? sprintf("%.2gk", x / 1e3) : x < 999500 ? sprintf("%.0fk", x / 1e3) \
    : sprintf("%.3gM", x / 1e6)

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
color(scheme) = word(scheme_colors, place(schemes, scheme))
point(scheme) = int(word(scheme_points, place(schemes, scheme)))
# The place of a word in a list, from 1; 0 if it is not there
place(list, name) = sum [i = 1:words(list)] (word(list, i) eq name ? i : 0)

# --------------------------------------------------------------------------------------------------
# FCT slowdown by flow size: a figure for each scenario, median and 99th percentile side by side
# --------------------------------------------------------------------------------------------------

# Where a bin stands on the axis: in its middle, the schemes a little beside one another
middle(low, high) = low > 0 ? sqrt(low * high) : high / 2
beside(k) = 1.06 ** (k - 3)

do for [scenario in scenarios] {
    present = ""
    do for [scheme in schemes] {
        present = present.(rows("slowdown.csv", scenario.",".scheme.",") > 0 ? " ".scheme : "")
    }
    if (present ne "") {
        set autoscale # or stats would skip what is out of the last figure's range
        stats "slowdown.csv" skip 1 \
            using (strcol(1) eq scenario && exists_at(7) ? $7 : 1) nooutput
        top = larger(1.3 * STATS_max, 3)
        stats "slowdown.csv" skip 1 \
            using (strcol(1) eq scenario && $3 > 0 ? $3 : 1e300) nooutput
        left = STATS_min
        stats "slowdown.csv" skip 1 using (strcol(1) eq scenario ? $4 : 0) nooutput
        right = STATS_max
        left = left < right ? left : right / 10

        width = 1000.0
        height = 406.0
        do for [format in formats] {
            eval terminal(format, width, height)
            set output "slowdown-".scenario.".".format
            set multiplot

            # The legend, as a plot of its own without data
            set tmargin at screen 1 - 70 / height
            set bmargin at screen 58 / height
            set label 1 about(scenario).one_run at screen 0.075, screen 1 - 18 / height left \
                font title_font(format)
            set key at screen 0.075, screen 1 - 30 / height left top vertical maxrows 1 \
                Left reverse samplen 2.5 width 1
            unset border
            unset logscale
            unset grid
            unset tics
            unset xlabel
            unset ylabel
            set lmargin at screen 0.075
            set rmargin at screen 0.98
            set xrange [0:1]
            set yrange [0:1]
            plot for [scheme in present] NaN with linespoints linewidth 1.8 \
                pointtype point(scheme) pointsize 0.9 \
                linecolor rgb color(scheme) title scheme
            unset key
            unset label 1

            set border 3
            set logscale xy
            set xrange [left / 1.1:right * 1.1]
            set yrange [0.9:top]
            set grid ytics linetype 1 linewidth 0.6 linecolor rgb "#D9D9D9"
            set xtics (1) out nomirror
            do for [k = 0:12] {
                set xtics add (bytes(10 ** k) 10.0 ** k)
                do for [m = 2:9] {
                    set xtics add ("" m * 10.0 ** k 1)
                }
            }
            set ytics (1) out nomirror
            do for [k = 0:7] {
                set ytics add (short(10 ** k) 10 ** k)
                set ytics add ((top < 2000 ? short(2 * 10 ** k) : "") 2 * 10 ** k)
                set ytics add ((top < 2000 ? short(5 * 10 ** k) : "") 5 * 10 ** k)
            }
            if (top < 9) {
                set ytics add ("1.5" 1.5, "3" 3, "4" 4)
            }
            set xlabel "Flow size (a point for each decade)"
            do for [i = 1:2] {
                set lmargin at screen 0.08 + (i - 1) * 0.485
                set rmargin at screen 0.49 + (i - 1) * 0.48
                set label 2 i == 1 ? "Median" : "99th percentile" \
                    at graph 0, graph 1 offset 0, 0.7 left
                set ylabel i == 1 ? "FCT slowdown (1 = alone)" : "" offset top < 9 ? -0.5 : 0.5, 0
                # A row that is not of the curve repeats the last one that is, so that the line
                # goes on
                plot for [scheme in present] "slowdown.csv" skip 1 using \
                    (is_mine = strcol(1) eq scenario && strcol(2) eq scheme && exists_at(5 + i), \
                    x = is_mine ? middle($3, $4) * beside(place(schemes, scheme)) \
                        : $0 == 0 ? NaN : x): \
                    (y = is_mine ? column(5 + i) : $0 == 0 ? NaN : y) smooth unique \
                    with linespoints linewidth 1.8 pointtype point(scheme) \
                    pointsize 0.9 linecolor rgb color(scheme) notitle
            }
            unset label 2
            unset multiplot
            unset output
            unset logscale
            unset grid
        }
    }
}

# --------------------------------------------------------------------------------------------------
# CQI over time: a figure for each scenario and scheme, a row for each port, by switch
# --------------------------------------------------------------------------------------------------

switch_of(port) = port[1:strstrt(port, ":") - 1]
# The peer, without the pod that it shares with the switch
pod_of(name) = name[1:4] eq "pod-" ? name[1:4 + strstrt(name[5:], "-")] : ""
peer_of(port) = short_peer(port[strstrt(port, ":") + 1:], pod_of(port))
short_peer(peer, pod) = strlen(pod) > 0 && strstrt(peer, pod) == 1 ? peer[strlen(pod) + 1:] : peer

# A list in which names are found quickly: each takes the same space
cell(name) = sprintf("%-48.48s", name)
row_of(list, name) = (strstrt(list, cell(name)) + 47) / 48

do for [scenario in scenarios] {
    do for [scheme in schemes] {
        file = "cqi-".scenario."-".scheme.".csv"
        if (rows(file, "") > 0) {
            set autoscale
            set cbrange [0:16] # autoscale has taken it back
            found = ""
            cells = ""
            stats file skip 1 using (port = strcol(2), is_new = row_of(cells, port) == 0, \
                found = is_new ? found." ".port : found, \
                cells = is_new ? cells.cell(port) : cells, $1):3 nooutput
            interval = STATS_min_x
            last = STATS_max_x + interval
            highest = STATS_max_y
        }
        if (rows(file, "") > 0 && highest == 0) {
            print "No figure cqi-".scenario."-".scheme.": the CQI is 0 at all times"
        }
        if (rows(file, "") > 0 && highest > 0) {

            # The ports, by switch
            ports = ""
            switches = ""
            do for [port in found] {
                if (place(switches, switch_of(port)) == 0) {
                    switches = switches." ".switch_of(port)
                    do for [other in found] {
                        ports = ports.(switch_of(other) eq switch_of(port) ? " ".other : "")
                    }
                }
            }
            cells = ""
            do for [port in ports] {
                cells = cells.cell(port)
            }
            n = words(ports)

            x_unit = last < 2e-3 ? 1e-6 : last < 2 ? 1e-3 : 1
            x_name = last < 2e-3 ? "us" : last < 2 ? "ms" : "s"
            is_narrow = n > 64 # no space for the ports' names
            row = n > 64 ? 7 : n > 32 ? 12 : n > 16 ? 16 : 22
            width = 1000.0
            above = 68.0
            height = above + n * row + 62
            left_part = pod_of(ports[2:]) eq "" ? 0.13 : is_narrow ? 0.1 : 0.19

            do for [format in formats] {
                eval terminal(format, width, height)
                small = small_font(format)
                set output "cqi-".scenario."-".scheme.".".format
                set label 1 about(scenario) at screen 0.015, screen 1 - 18 / height left \
                    font title_font(format)
                set label 2 scheme.": CQI of the leaves' uplinks, from 0 to 16; here " \
                    .sprintf("at most %.0f", highest) \
                    at screen 0.015, screen 1 - 42 / height left
                set tmargin at screen 1 - above / height
                set bmargin at screen 62 / height
                set lmargin at screen left_part
                set rmargin at screen 0.93
                set border 15 linewidth 0.6 linecolor rgb "#A0A0A0"
                unset key
                unset grid
                unset ylabel
                set xrange [0:last / x_unit]
                set yrange [n + 0.5:0.5]
                set xtics autofreq out nomirror format "%g" textcolor rgb "#202020"
                set xlabel sprintf("Time (%s); assessed every %.4g us", x_name, interval * 1e6)
                set ytics ("" 0) scale 0 font small textcolor rgb "#202020"
                do for [i = 1:n] {
                    port = word(ports, i)
                    if (!is_narrow) {
                        set ytics add (peer_of(port) i)
                    }
                    # The name of a switch amid its rows, and a line below them
                    if (i == 1 || switch_of(port) ne switch_of(word(ports, i - 1))) {
                        since = i
                    }
                    if (i == n || switch_of(port) ne switch_of(word(ports, i + 1))) {
                        set label 100 + i switch_of(port) \
                            at screen 0.015, first (since + i) / 2.0 left
                        if (i < n) {
                            set arrow 100 + i from graph 0, first i + 0.5 \
                                to graph 1, first i + 0.5 nohead front \
                                linewidth 1 linecolor rgb "#808080"
                        }
                    }
                }
                set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind \
                    fillcolor rgb "#F2F2F2" fillstyle solid noborder
                set colorbox user origin screen 0.945, screen 62 / height \
                    size screen 0.015, screen larger(n * row, 100) / height
                set cbtics 0, 4, 16 scale 0.5 textcolor rgb "#202020"
                set cblabel "CQI" offset -0.5, 0 textcolor rgb "#202020"
                plot file skip 1 using \
                    (is_idle = !exists_at(3) || $3 == 0, y = row_of(cells, strcol(2)), \
                    is_idle ? NaN : $1 / x_unit):(y): \
                    ($1 / x_unit):(($1 + interval) / x_unit):(y - 0.5):(y + 0.5):3 \
                    with boxxyerror fillstyle solid noborder linecolor palette notitle
                unset label
                unset arrow
                unset object 1
                unset output
            }
            set border 3 linewidth 1 linecolor rgb "#404040"
            set ytics font ""
        }
    }
}

# --------------------------------------------------------------------------------------------------
# Totals: a panel for each metric, bars by scenario and scheme
# --------------------------------------------------------------------------------------------------

present = ""
do for [scenario in scenarios] {
    # A scenario in which all schemes have the same has nothing to compare
    alike = rows("totals.csv", scenario.",") > 0 && are_alike(scenario, "5 6 7 8")
    present = present.(rows("totals.csv", scenario.",") > 0 && !alike ? " ".scenario : "")
    if (alike) {
        print "Not in totals: ".scenario.", where all schemes have the same"
    }
}
present_schemes = ""
do for [scheme in schemes] {
    present_schemes = present_schemes \
        .(rows("totals.csv", "[^,]*,".scheme.",") > 0 ? " ".scheme : "")
}

# What a panel shows: its column, its name, and its scale. A slowdown is 1 at least; a count is
# logarithmic from 1 on and linear below, so that there is a place for 0.
array panel_columns[4] = [5, 6, 7, 8]
array panel_names[4] = ["99th percentile of the FCT slowdown (logarithmic)", \
    "Packets that arrived out of order (logarithmic)", \
    "Imbalance of the uplinks: (max - min) / mean of their throughput, every 100 us", \
    "Migrations of flow sets (logarithmic)"]
scaled(i, x) = i == 1 ? log10(larger(x, 1)) : i == 3 ? x : x < 1 ? x : 1 + log10(x)

if (present ne "" && present_schemes ne "") {
    set autoscale
    array tops[4]
    do for [i = 1:4] {
        stats "totals.csv" skip 1 \
            using (n = panel_columns[i], exists_at(n) ? scaled(i, column(n) + half(n)) : 0) nooutput
        tops[i] = larger(1.15 * STATS_max, i == 1 ? 1 : 1.2)
    }
    n = words(present_schemes)
    bar = 0.84 / n
    at_bar(scenario, scheme) = place(present, scenario) \
        + bar * (place(present_schemes, scheme) - (n + 1) / 2.0)
    is_drawn(n) = place(present, strcol(1)) > 0 && place(present_schemes, strcol(2)) > 0 \
        && exists_at(n)

    width = 1000.0
    panel = 120.0
    gap = 36.0
    above = 76.0
    height = above + 4 * panel + 3 * gap + 36
    do for [format in formats] {
        eval terminal(format, width, height)
        set output "totals.".format
        set multiplot
        set tmargin at screen 1 - above / height
        set bmargin at screen 36 / height
        set label 1 "Slowdown, reordering, imbalance and migrations of each scheme".one_run \
            at screen 0.075, screen 1 - 18 / height left font title_font(format)
        set key at screen 0.075, screen 1 - 30 / height left top vertical maxrows 1 \
            Left reverse samplen 2 width 1
        unset border
        unset logscale
        unset grid
        unset tics
        unset xlabel
        unset ylabel
        set lmargin at screen 0.075
        set rmargin at screen 0.985
        set xrange [0:1]
        set yrange [0:1]
        plot for [scheme in present_schemes] NaN with boxes fillstyle solid noborder \
            linecolor rgb color(scheme) title scheme
        unset key
        unset label 1

        set border 3
        set boxwidth bar * 0.9
        set grid ytics linetype 1 linewidth 0.6 linecolor rgb "#D9D9D9"
        do for [i = 1:4] {
            set tmargin at screen 1 - (above + (i - 1) * (panel + gap)) / height
            set bmargin at screen 1 - (above + i * panel + (i - 1) * gap) / height
            set xrange [0.5:words(present) + 0.5]
            set yrange [0:tops[i]]
            set xtics ("" 0) nomirror scale 0
            do for [k = 1:words(present)] {
                set xtics add ((i == 4 ? word(present, k) : "") k)
            }
            if (i == 3) {
                set ytics autofreq out nomirror scale 1 format "%g"
                set ytics larger(1, floor(tops[i] / 4))
            } else {
                set ytics ("" 0) out nomirror scale 1
                set ytics add ((i == 1 ? "1" : "0") 0)
                do for [k = 0:9] {
                    set ytics add (short(10 ** k) scaled(i, 10 ** k))
                }
            }
            set label 2 panel_names[i] at graph 0, graph 1 offset 0, 0.7 left
            c = panel_columns[i]
            # Labels without any place crash gnuplot 5.4.
            stats "totals.csv" skip 1 using (is_drawn(c) ? 1 : 0) nooutput
            if (STATS_max < 1) {
                plot NaN notitle
                continue
            }
            plot for [scheme in present_schemes] "totals.csv" skip 1 using \
                    (is_drawn(c) && strcol(2) eq scheme ? at_bar(strcol(1), scheme) : NaN): \
                    (scaled(i, column(c))) with boxes fillstyle solid noborder \
                    linecolor rgb color(scheme) notitle, \
                "totals.csv" skip 1 using \
                    (is_drawn(c) && half(c) > 0 ? at_bar(strcol(1), strcol(2)) : NaN): \
                    (low = scaled(i, larger(column(c) - half(c), 0))):(0): \
                    (scaled(i, column(c) + half(c)) - low) with vectors heads \
                    size screen 0.003, 90 linewidth 1 linecolor rgb "#000000" notitle, \
                "totals.csv" skip 1 using \
                    (is_drawn(c) ? at_bar(strcol(1), strcol(2)) : NaN): \
                    (scaled(i, column(c) + half(c))):(is_drawn(c) ? short(column(c)) : "") \
                    with labels offset 0, 0.5 font small_font(format) notitle
        }
        unset label 2
        unset multiplot
        unset output
    }
}
