# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Draws the figures of the experiment coupled-ecn as PNG and SVG, with gnuplot 5.2 or later:
#
#   cd results/coupled-ecn && gnuplot figures.gp
#   gnuplot -e "dir='results/coupled-ecn'" examples/coupled-ecn/coupled-ecn.gp
#
# It reads these files of the folder, each with one line of column names, and skips what is not
# there:
#
#   queue-SCENARIO-SCHEME.csv  time_s,occupancy_byte,buf_thrd_byte,ecn_thrd_byte,region
#       of the watched port; the region is A, B or C, or - for a static scheme. A region holds until
#       the next row. All rows are drawn: from about 5,000 of them on, an SVG takes over a megabyte.
#   slowdown.csv  scenario,scheme,bin_low_byte,bin_high_byte,flows,slowdown_p50,slowdown_p99
#       of flows by size; a slowdown that does not exist is nan or empty
#   totals.csv    scenario,scheme,dropped_packets,marked_packets and the halves of their confidence
#       intervals; a scenario in which all schemes have the same is left out. With scenario step
#       also goodput, fct_p99 and drops_before_first_mark
#
# and writes queue-SCENARIO, slowdown-SCENARIO, totals and, if there are at least three static
# thresholds, tradeoff, each as .png and .svg.

if (!exists("dir")) dir = "."
cd dir

scenarios = "light incast incast-capped mix active-1 active-2 active-4 active-8 active-16 active-32 " \
    ."active-48 step unresponsive file"
schemes = "static-low static-high coupled red proportional"
formats = "png svg"

# What the scenarios are, for the figures' titles
about(scenario) = scenario eq "light" ? "light: few active queues, long round-trip time" \
    : scenario eq "incast" ? "incast: all ports at once" \
    : scenario eq "incast-capped" ? "incast-capped: all ports at once, queues capped" \
    : scenario[1:7] eq "active-" ? scenario.": as many active queues all the time" \
    : scenario eq "unresponsive" ? "unresponsive: 4 active queues, and UDP without ECN" \
    : scenario eq "step" ? "step: 4 active queues, 48, and 4 again" \
    : scenario eq "mix" ? "mix: drawn from a flow-size file" : "flows of a file"

# Colors that color-blind readers can tell apart (Okabe and Ito); points have a shape each besides
queue_color = "#595959"
buffer_color = "#D55E00"
ecn_color = "#0072B2"
region_a = 0xDDF1EA
region_b = 0xF7E98F
region_c = 0xE5AECB
scheme_colors = "#E69F00 #0072B2 #009E73 #CC79A7 #56B4E9"
scheme_points = "5 9 7 11 13"
array notes[words(schemes)]
array ends[words(schemes)]
array tops[2]
array is_logs[2]

set encoding utf8
set datafile separator ","
set clip two
set border 3 linewidth 1 linecolor rgb "#404040"

# The place of a word in a list, from 1; 0 if it is not there
place(list, name) = sum [i = 1:words(list)] (word(list, i) eq name ? i : 0)
color(scheme) = word(scheme_colors, place(schemes, scheme))
point(scheme) = int(word(scheme_points, place(schemes, scheme)))

# The schemes that a file has rows of, in a scenario or, without a name, in any
schemes_of(file, scenario) = system("cut -d, -f1,2 ".file." | awk -F, -v all='".schemes."' -v s='" \
    .scenario."' '(s == \"\" || $1 == s) {has[$2]} END {n = split(all, a, \" \"); " \
    ."for (i = 1; i <= n; ++i) if (a[i] in has) printf \"%s \", a[i]}'")

# The number of rows of a file below its line of names; 0 if it does not exist
rows(file) = system("cat ".file." 2>/dev/null | wc -l") - 1

# One size in layout units for both formats; a PNG has four pixels for each square unit
terminal(format, width, height) = format eq "svg" \
    ? sprintf("set terminal svg noenhanced size %d,%d font 'sans-serif,13' background 'white'", \
              width, height) \
    : sprintf("set terminal pngcairo noenhanced size %d,%d font 'Sans,10' fontscale 2 " \
              ."linewidth 2 pointscale 2 background 'white'", 2 * width, 2 * height)

# A number of bytes as people write it
bytes(x) = x < 1e3 ? sprintf("%.0f B", x) : x < 1e6 ? sprintf("%.4g kB", x / 1e3) \
    : sprintf("%.4g MB", x / 1e6)

# A whole number with commas between the thousands; nothing for nan, which would not end
with_commas(x) = x != x ? "" : x < 1e3 ? sprintf("%.0f", x) \
    : with_commas(floor(x / 1e3)).sprintf(",%03.0f", x - 1e3 * floor(x / 1e3))

larger(x, y) = x > y ? x : y
smaller(x, y) = x < y ? x : y
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

# --------------------------------------------------------------------------------------------------
# Thresholds and queue over time: a figure for each scenario, a panel for each scheme
# --------------------------------------------------------------------------------------------------

series(scenario, scheme) = "queue-".scenario."-".scheme.".csv"
off_scale(name, lowest, highest) = name." is off the scale, " \
    .(highest > 1.001 * lowest ? "from ".bytes(lowest)." to ".bytes(highest) : "at ".bytes(lowest))

region_color(letter) = letter eq "A" ? region_a : letter eq "B" ? region_b \
    : letter eq "C" ? region_c : -1

do for [scenario in scenarios] {
    set autoscale # or stats would skip what is out of the last figure's range
    present = ""
    first = 1e300
    last = -1e300
    largest_queue = 0
    lowest_ecn = 1e300
    do for [scheme in schemes] {
        if (rows(series(scenario, scheme)) > 1) {
            present = present." ".scheme
            stats series(scenario, scheme) skip 1 using 1:2 nooutput
            first = smaller(first, STATS_min_x)
            last = larger(last, STATS_max_x)
            largest_queue = larger(largest_queue, STATS_max_y)
            stats series(scenario, scheme) skip 1 using 4 nooutput
            lowest_ecn = smaller(lowest_ecn, STATS_min)
        }
    }

    n = words(present)
    if (n > 0) {
        # The time is that of the queue: what is over soon is not drawn as a line at the edge
        active = first
        do for [scheme in present] {
            stats series(scenario, scheme) skip 1 \
                using ($2 > 0.02 * largest_queue ? $1 : first) nooutput
            active = larger(active, STATS_max)
        }
        if (active - first < 0.5 * (last - first)) {
            last = first + 1.2 * larger(active - first, 1e-6)
        }

        # The height is for the queue, as unused thresholds are far above it; thresholds that come
        # near it are shown too
        top = larger(1.35 * largest_queue, 1.2 * lowest_ecn)
        do for [i = 1:n] {
            stats series(scenario, word(present, i)) skip 1 using 3 nooutput
            top = larger(top, 1.2 * STATS_min < 3.5 * largest_queue ? 1.2 * STATS_min : 0)
        }
        y_unit = top < 2e6 ? 1e3 : 1e6
        y_name = top < 2e6 ? "kB" : "MB"
        span = larger(last - first, 1e-9)
        x_unit = span < 2e-3 ? 1e-6 : span < 2 ? 1e-3 : 1
        x_name = span < 2e-3 ? "us" : span < 2 ? "ms" : "s"
        origin = first > span ? first : 0
        x_label = origin > 0 ? sprintf("Time since %.6g ms (%s)", origin * 1e3, x_name) \
            : sprintf("Time (%s)", x_name)

        do for [i = 1:n] {
            stats series(scenario, word(present, i)) skip 1 using 1:3 nooutput
            ends[i] = STATS_max_x
            notes[i] = STATS_min_y > top ? off_scale("Buf_Thrd", STATS_min_y, STATS_max_y) : ""
            stats series(scenario, word(present, i)) skip 1 using 4 nooutput
            notes[i] = notes[i].(STATS_min > top ? (notes[i] eq "" ? "" : "; ") \
                .off_scale("ECN_Thrd", STATS_min, STATS_max) : "")
        }

        width = 1000.0
        panel = 170.0
        gap = 40.0
        above = 116.0
        height = above + n * panel + (n - 1) * gap + 68

        do for [format in formats] {
            eval terminal(format, width, height)
            set output "queue-".scenario.".".format
            set multiplot

            # The legend, as a plot of its own without data
            unset border
            unset logscale
            unset grid
            unset tics
            unset xlabel
            unset ylabel
            set lmargin at screen 0.08
            set rmargin at screen 0.985
            set tmargin at screen 1
            set bmargin at screen 1 - above / height
            set xrange [0:1]
            set yrange [0:1]
            set label 1 about(scenario) at screen 0.08, screen 1 - 18 / height left \
                font (format eq "svg" ? "sans-serif,15" : "Sans,12")
            set key at screen 0.075, screen 1 - 30 / height left top vertical maxrows 3 \
                Left reverse samplen 2.5 spacing 1.15
            plot NaN with lines linewidth 1.8 linecolor rgb buffer_color title "Buf_Thrd", \
                NaN with lines linewidth 1.8 linecolor rgb ecn_color \
                    title "ECN_Thrd", \
                NaN with boxes fillcolor rgb queue_color fillstyle solid 0.35 \
                    border linecolor rgb queue_color \
                    title "Queue", \
                NaN with boxes fillstyle solid noborder linecolor rgb region_a \
                    title "A: Buf_Thrd - Offset > Floor", \
                NaN with boxes fillstyle solid noborder linecolor rgb region_b \
                    title "B: Buf_Thrd - Offset <= Floor < Buf_Thrd", \
                NaN with boxes fillstyle solid noborder linecolor rgb region_c \
                    title "C: Buf_Thrd <= Floor"
            unset key
            unset label 1

            set border 3
            set ytics autofreq out nomirror
            set yrange [0:top / y_unit]
            set xrange [(first - origin) / x_unit:(last - origin) / x_unit]
            set ylabel "Bytes (".y_name.")" offset 0.5, 0
            do for [i = 1:n] {
                scheme = word(present, i)
                file = series(scenario, scheme)
                set tmargin at screen 1 - (above + (i - 1) * (panel + gap)) / height
                set bmargin at screen 1 - (above + i * panel + (i - 1) * gap) / height
                if (i == n) {
                    set xtics autofreq out nomirror format "%g"
                    set xlabel x_label
                } else {
                    set xtics autofreq out nomirror format ""
                    unset xlabel
                }

                set label 1 scheme at graph 0, graph 1 offset 0, 0.7 left \
                    textcolor rgb "#000000"
                set label 2 notes[i] at graph 1, graph 1 offset 0, 0.7 right \
                    textcolor rgb "#595959"

                # A box for each stretch of rows in one region, drawn at the row that ends it
                run = ""
                since = 0
                plot file skip 1 using (now = ($1 - origin) / x_unit, letter = strcol(5), \
                        ended = run, began = since, \
                        since = (letter eq run && $1 < ends[i]) ? since : now, \
                        run = letter, \
                        since == now && region_color(ended) >= 0 ? now : NaN):(0): \
                        (began):(now):(0):(top / y_unit):(region_color(ended)) \
                        with boxxyerror fillstyle solid noborder linecolor rgb variable notitle, \
                    file skip 1 using (($1 - origin) / x_unit):($2 / y_unit) \
                        with filledcurves y1=0 fillstyle transparent solid 0.35 noborder \
                        linecolor rgb queue_color notitle, \
                    file skip 1 using (($1 - origin) / x_unit):($2 / y_unit) \
                        with lines linewidth 1 linecolor rgb queue_color notitle, \
                    file skip 1 using (($1 - origin) / x_unit):($3 / y_unit) \
                        with lines linewidth 1.8 linecolor rgb buffer_color notitle, \
                    file skip 1 using (($1 - origin) / x_unit):($4 / y_unit) \
                        with lines linewidth 1.8 linecolor rgb ecn_color notitle
            }
            unset label 1
            unset label 2
            unset multiplot
            unset output
        }
    }
}

# --------------------------------------------------------------------------------------------------
# FCT slowdown by flow size: a figure for each scenario, median and 99th percentile side by side
# --------------------------------------------------------------------------------------------------

# Where a bin stands on the axis: in its middle, the schemes a little beside one another
middle(low, high) = low > 0 ? sqrt(low * high) : high / 2
beside(k) = 1.07 ** (k - 2)

if (rows("slowdown.csv") > 0) {
    do for [scenario in scenarios] {
        set autoscale
        stats "slowdown.csv" skip 1 using (strcol(1) eq scenario ? 1 : 0) nooutput
        n = STATS_sum
        if (n > 0) {
            present = schemes_of("slowdown.csv", scenario)
            stats "slowdown.csv" skip 1 \
                using (strcol(1) eq scenario && $7 == $7 ? $7 : 1) nooutput
            top = larger(1.3 * STATS_max, 3)
            stats "slowdown.csv" skip 1 using (strcol(1) eq scenario ? $3 : 1e300) nooutput
            left = larger(STATS_min, 0)
            stats "slowdown.csv" skip 1 using (strcol(1) eq scenario ? $4 : 0) nooutput
            right = STATS_max
            stats "slowdown.csv" skip 1 \
                using (strcol(1) eq scenario ? middle($3, $4) : 1e300) nooutput
            left = left > 0 ? left : STATS_min / 1.5
            # A single bin stands amid two decades
            if (right < 20 * left) {
                left = left / 5
                right = right * 5
            }

            width = 1000.0
            height = 400.0
            do for [format in formats] {
                eval terminal(format, width, height)
                set output "slowdown-".scenario.".".format
                set multiplot
                set tmargin at screen 1 - 64 / height
                set bmargin at screen 58 / height
                set label 1 about(scenario).one_run at screen 0.075, screen 1 - 18 / height left \
                    font (format eq "svg" ? "sans-serif,15" : "Sans,12")
                set key at screen 0.99, screen 1 - 8 / height right top horizontal maxcols 3 \
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
                do for [k = 0:10] {
                    set xtics add (bytes(10 ** k) 10 ** k)
                    do for [m = 2:9] {
                        set xtics add ("" m * 10 ** k 1)
                    }
                }
                set ytics (1) out nomirror
                do for [k = 0:7] {
                    set ytics add (with_commas(10 ** k) 10 ** k)
                    set ytics add ((top < 2000 ? sprintf("%g", 2 * 10 ** k) : "") 2 * 10 ** k)
                    set ytics add ((top < 2000 ? sprintf("%g", 5 * 10 ** k) : "") 5 * 10 ** k)
                }
                set xlabel "Flow size"
                do for [i = 1:2] {
                    set lmargin at screen 0.08 + (i - 1) * 0.485
                    set rmargin at screen 0.49 + (i - 1) * 0.48
                    set label 2 word("Median 99th", i).(i == 2 ? " percentile" : "") \
                        at graph 0, graph 1 offset 0, 0.7 left
                    set ylabel i == 1 ? "FCT slowdown" : "" offset 0.5, 0
                    # A row that is not of the curve repeats the last one that is, so that the line
                    # goes on
                    plot for [scheme in present] "slowdown.csv" skip 1 using \
                        (is_mine = strcol(1) eq scenario && strcol(2) eq scheme \
                            && valid(5 + i) && column(5 + i) == column(5 + i), \
                        x = is_mine ? middle($3, $4) * beside(place(schemes, scheme)) : $0 == 0 ? NaN : x): \
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
}

# --------------------------------------------------------------------------------------------------
# Drops and marks: a panel each, bars by scenario and scheme
# --------------------------------------------------------------------------------------------------

if (int(system("grep -c ',static-[0-9]' totals.csv 2>/dev/null")) > 0) {
    print "Not in figures but tradeoff: the thresholds that static-best tries; totals.csv has them"
}
if (rows("totals.csv") > 0) {
    set autoscale
    present = ""
    do for [scenario in scenarios] {
        stats "totals.csv" skip 1 using (strcol(1) eq scenario ? 1 : 0) nooutput
        alike = STATS_sum > 0 && are_alike(scenario, "3 4")
        present = present.(STATS_sum > 0 && !alike ? " ".scenario : "")
        if (alike) {
            print "Not in totals: ".scenario.", where all schemes drop and mark the same"
        }
    }
}
if (rows("totals.csv") > 0 && present ne "") {
    # The place of a row's group of bars, and of the bar within it; 0 for what is not drawn
    present_schemes = schemes_of("totals.csv", "")
    n = words(present_schemes)
    group(scenario) = place(present, scenario)
    bar(scheme) = place(present_schemes, scheme)
    step = 0.81 / larger(n, 3)
    at_bar(scenario, scheme) = group(scenario) + step * (bar(scheme) - (n + 1) / 2.0)

    # Bars of very different height need a logarithmic axis; it starts below one packet, and nothing
    # stands on it for none
    do for [i = 1:2] {
        stats "totals.csv" skip 1 \
            using (exists_at(2 + i) ? column(2 + i) + half(2 + i) : 0) nooutput
        tops[i] = larger(STATS_max, 1)
        stats "totals.csv" skip 1 \
            using (exists_at(2 + i) && column(2 + i) > 0 ? column(2 + i) : tops[i]) nooutput
        is_logs[i] = tops[i] > 50 * STATS_min
    }

    width = 1000.0
    height = 380.0
    do for [format in formats] {
        eval terminal(format, width, height)
        set output "totals.".format
        set multiplot
        set tmargin at screen 1 - 64 / height
        set bmargin at screen 40 / height
        set label 1 "Drops and marks".one_run at screen 0.075, screen 1 - 18 / height left \
            font (format eq "svg" ? "sans-serif,15" : "Sans,12")
        set key at screen 0.99, screen 1 - 8 / height right top horizontal maxcols 3 \
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
        plot for [scheme in present_schemes] NaN with boxes fillstyle solid noborder \
            linecolor rgb color(scheme) title scheme
        unset key
        unset label 1

        set border 3
        set xrange [0.5:words(present) + 0.5]
        set xtics ("" 0) nomirror scale 0
        do for [i = 1:words(present)] {
            set xtics add (word(present, i) i)
        }
        unset xlabel
        set boxwidth step / 1.125
        set grid ytics linetype 1 linewidth 0.6 linecolor rgb "#D9D9D9"
        do for [i = 1:2] {
            set lmargin at screen 0.075 + (i - 1) * 0.5
            set rmargin at screen 0.48 + (i - 1) * 0.5
            top = tops[i]
            is_log = is_logs[i]
            if (is_log) {
                set logscale y
                set yrange [0.5:top * 5]
                set ytics (1) out nomirror scale 1
                do for [k = 0:12] {
                    set ytics add (with_commas(10 ** k) 10 ** k)
                }
            } else {
                unset logscale y
                set yrange [0:top * 1.15]
                decade = 10 ** floor(log10(top))
                tick = larger(1, \
                    top < 2 * decade ? decade / 5 : top < 5 * decade ? decade / 2 : decade)
                set ytics ("0" 0) out nomirror scale 1
                do for [k = 1:int(top / tick)] {
                    set ytics add (with_commas(k * tick) k * tick)
                }
            }
            base = is_log ? 0.5 : 0
            set label 2 word("Dropped Marked", i)." packets".(is_log ? " (logarithmic)" : "") \
                at graph 0, graph 1 offset 0, 0.7 left
            plot for [scheme in present_schemes] "totals.csv" skip 1 using \
                    (strcol(2) eq scheme && group(strcol(1)) > 0 \
                        ? at_bar(strcol(1), scheme) : NaN): \
                    (exists_at(2 + i) ? larger(column(2 + i), base) : base) \
                    with boxes fillstyle solid noborder \
                    linecolor rgb color(scheme) notitle, \
                "totals.csv" skip 1 using \
                    (group(strcol(1)) > 0 && bar(strcol(2)) > 0 && half(2 + i) > 0 \
                        ? at_bar(strcol(1), strcol(2)) : NaN): \
                    (low = larger(column(2 + i) - half(2 + i), base)):(0): \
                    (column(2 + i) + half(2 + i) - low) with vectors heads \
                    size screen 0.003, 90 linewidth 1 linecolor rgb "#000000" notitle, \
                "totals.csv" skip 1 using \
                    (group(strcol(1)) > 0 && bar(strcol(2)) > 0 \
                        ? at_bar(strcol(1), strcol(2)) : NaN): \
                    (exists_at(2 + i) ? larger(column(2 + i) + half(2 + i), base) : base): \
                    (exists_at(2 + i) ? with_commas(column(2 + i)) : "") \
                    with labels offset 0, 0.6 font (format eq "svg" ? "sans-serif,10" : "Sans,8") \
                    notitle
        }
        unset multiplot
        unset output
    }
}

# --------------------------------------------------------------------------------------------------
# Scenario step: static thresholds as a curve from one end to the other, and the adaptive schemes
# --------------------------------------------------------------------------------------------------

# The number of a column of totals.csv, 0 if it has none of this name
column_of(name) = int(system("head -1 totals.csv 2>/dev/null | awk -F, '{for (i = 1; i <= NF; " \
    ."++i) if ($i == \"".name."\") n = i} END {print n + 0}'"))
n_static = int(system("grep -c '^step,static-[0-9]*kb,' totals.csv 2>/dev/null || true"))
across = column_of("goodput")
names = "fct_p99 drops_before_first_mark"
others = "red proportional coupled"
# The number of rows in which a metric of scenario step has a value
values_of(name) = int(system(sprintf("awk -F, '$1 == \"step\" && $%d ~ /^-?[0-9]/ {++n} " \
    ."END {print n + 0}' totals.csv", column_of(name))))
lacking = ""
if (across > 0 && n_static > 2) {
    do for [name in "goodput ".names] {
        lacking = lacking.(values_of(name) == 0 ? " ".name : "")
    }
    if (lacking ne "") {
        print "No figure tradeoff: no scheme has a value of".lacking
    }
}

if (across > 0 && n_static > 2 && lacking eq "") {
    is_static(scheme) = strcol(1) eq "step" && scheme[1:7] eq "static-"
    is_scheme(scheme) = strcol(1) eq "step" && strcol(2) eq scheme
    static_rows = "< grep '^step,static-[0-9]*kb,' totals.csv"
    stats "totals.csv" skip 1 using (column(across) / 1e9) nooutput
    widest = STATS_max
    # The side of a point at which its label stands: above, but below where a curve rises behind it
    # (the second panel), and at the other side if it would cover the label before it
    side(n, x, y) = (is_near = n > 0 && abs(y - last_y) < 0.1 * highest \
        && (abs(x - last_x) < 0.02 * widest \
            || (abs(x - last_x) < 0.06 * widest && y - last_y > 0.02 * highest)), \
        last_side = is_near ? -last_side : i == 2 && y > 0.1 * highest ? -1 : 1, \
        last_x = x, last_y = y, last_side)
    width = 1000.0
    height = 420.0
    do for [format in formats] {
        eval terminal(format, width, height)
        set output "tradeoff.".format
        set multiplot
        set tmargin at screen 1 - 64 / height
        set bmargin at screen 58 / height
        set border 3
        unset key
        unset label
        unset logscale
        set label 1 about("step").one_run at screen 0.075, screen 1 - 18 / height left \
            font (format eq "svg" ? "sans-serif,15" : "Sans,12")
        set label 3 "KB: static thresholds" at screen 0.99, screen 1 - 18 / height right \
            textcolor rgb queue_color
        set grid linetype 1 linewidth 0.6 linecolor rgb "#D9D9D9"
        set autoscale
        set xtics autofreq out nomirror format "%g"
        set ytics autofreq out nomirror format "%g"
        set xlabel "Goodput (Gbit/s)"
        unset ylabel
        do for [i = 1:2] {
            up = column_of(word(names, i))
            unit = i == 1 ? 1e-3 : 1
            set autoscale # or stats would skip what is out of the last panel's range
            stats "totals.csv" skip 1 using (column(up) / unit) nooutput
            highest = STATS_max
            # Ends of intervals, which gnuplot leaves out where it chooses an axis
            stats "totals.csv" skip 1 \
                using (strcol(1) eq "step" ? (column(up) + half(up)) / unit : NaN) nooutput
            top = STATS_max
            stats "totals.csv" skip 1 \
                using (strcol(1) eq "step" ? (column(across) + half(across)) / 1e9 : NaN) nooutput
            right = STATS_max
            set lmargin at screen 0.06 + (i - 1) * 0.5
            set rmargin at screen 0.48 + (i - 1) * 0.5
            set label 2 i == 1 ? "99th percentile of FCT (ms)" \
                : "Packets dropped before a queue's first mark" \
                at graph 0, graph 1 offset 0, 0.7 left
            set xrange [0:1.1 * right]
            set yrange [-0.08 * highest:larger(1.1 * top, 1e-9)]
            plot "totals.csv" skip 1 using (is_static(strcol(2)) ? column(across) / 1e9 : NaN): \
                    (column(up) / unit):(half(across) / 1e9):(half(up) / unit) \
                    with xyerrorbars linewidth 1 pointtype 7 pointsize 0.7 \
                    linecolor rgb queue_color notitle, \
                static_rows using (column(across) / 1e9):\
                    (column(up) / unit) with lines linewidth 1 dashtype 2 \
                    linecolor rgb queue_color notitle, \
                for [s = -1:1:2] static_rows using (column(across) / 1e9):(column(up) / unit): \
                    (side($0, column(across) / 1e9, column(up) / unit) == s \
                        ? substr(strcol(2), 8, strlen(strcol(2)) - 2)." KB" : "") \
                    with labels left rotate by 40 * s offset 0.3, 0.4 * s \
                    font (format eq "svg" ? "sans-serif,10" : "Sans,8") notitle, \
                for [k = 1:words(others)] "totals.csv" skip 1 using \
                    (is_scheme(word(others, k)) ? column(across) / 1e9 : NaN): \
                    (column(up) / unit):(half(across) / 1e9):(half(up) / unit) \
                    with xyerrorbars linewidth 1.8 pointtype point(word(others, k)) \
                    pointsize 1.2 linecolor rgb color(word(others, k)) notitle, \
                for [k = 1:words(others)] "totals.csv" skip 1 using \
                    (is_scheme(word(others, k)) ? column(across) / 1e9 : NaN): \
                    (column(up) / unit):(strcol(2)) with labels right \
                    offset -0.8, word(i == 1 ? "0.8 -0.8 0.8" : "-0.8 -0.8 0.8", k) + 0 \
                    textcolor rgb color(word(others, k)) notitle
        }
        unset multiplot
        unset output
        unset label
        unset grid
    }
}
