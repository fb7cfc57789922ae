# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Draws the figures of the experiment pre-ecn as PNG and SVG, with gnuplot 5.2 or later:
#
#   cd results/pre-ecn && gnuplot figures.gp
#   gnuplot -e "dir='results/pre-ecn'" examples/pre-ecn/pre-ecn.gp
#
# It reads totals.csv and, of each scenario and scheme, the series queue (time_s, occupancy_byte,
# light_marks, ce_marks) and events (time_s, event, node, value). It writes, as .png and .svg,
#
#   losses-SCENARIO            what was lost, how long the all-reduce took, and who reacted when
#   timeline-SCENARIO-SCHEME   one congestion event with some of the schemes: queue, marks, notifications, the rate of a flow
#                              at the provider edge router, and the rate of a sender

if (!exists("dir")) dir = "."
cd dir

# The scenarios of totals.csv
scenarios = system("tail -n +2 totals.csv 2>/dev/null | cut -d, -f1 | uniq | tr '\n' ' '")
schemes = "single-threshold two-threshold two-threshold-both"
formats = "png svg"

# Colors that color-blind readers can tell apart (Okabe and Ito)
GRAY = "#595959"
VERMILION = "#D55E00"
ORANGE = "#E69F00"
BLUE = "#0072B2"
SKY = "#56B4E9"
GREEN = "#009E73"
# Of schemes, in figures of sweeps
colored_schemes = "tail-drop single-threshold two-threshold two-threshold-reroute " \
    ."two-threshold-both mixed-core"
scheme_colors = "#595959 #E69F00 #0072B2 #56B4E9 #009E73 #CC79A7"

set encoding utf8
set datafile separator ","
set border 3 linewidth 1 linecolor rgb "#404040"
set ytics nomirror
set grid ytics linecolor rgb "#D9D9D9"

# The number of rows of a scenario; 0 if there is no file
rows(scenario) = int(system("cat totals.csv 2>/dev/null | grep -c '^".scenario.",'"))

# The number of a file's rows with a word
count(file, word) = int(system("cat ".file." 2>/dev/null | grep -c '".word."'"))

# The rows of events of one kind, of the first node that has some; the last one holds until the end
events(file, event, end) = "< awk -F, '$2==\"".event."\" && (n==\"\" || n==$3) {n=$3; v=$4; print} " \
    ."END {print ".sprintf("%g", end / 1e3)."\",,,\"v}' ".file

# What of a run is shown, in ms: the first congestion, and the senders' reaction to it
delay(scenario) = real(system("echo '".scenario."' | awk '{print ($1 + 0) / ($1 ~ /us/ ? 1e3 : 1)}'"))
last(scenario) = 6 + 2.1 * delay(scenario)

# Half of the confidence interval of a metric of totals.csv; 0 where there was one run
has_intervals = int(system("head -1 totals.csv 2>/dev/null | grep -c _ci95"))
half(name) = has_intervals ? positive(column(name."_ci95")) : 0
positive(x) = x > 0 ? x : 0
# What titles say where no metric of totals.csv has an interval
one_run = int(system("cat totals.csv 2>/dev/null | awk -F, 'NR == 1 {for (i = 3; i <= NF; ++i) " \
    ."if ($i ~ /_ci95$/) is[i]; next} {for (i in is) n += $i ~ /^[0-9]/} END {print n + 0}'")) > 0 \
    ? "" : " (one run)"
# A scheme's name, a long one in two lines, so that names fit beside each other
last_hyphen(name) = (place = strstrt(name, "-"), strstrt(name[place + 1:], "-") == 0 ? place \
    : place + strstrt(name[place + 1:], "-"))
shown(name) = strlen(name) < 11 ? name \
    : name[1:last_hyphen(name)]."\n".name[last_hyphen(name) + 1:]
within(name) = half(name) < column(name) ? half(name) : 0

# The upper end of an axis for a metric of a scenario; an axis without any value above 0 has one, too
top(scenario, name) = real(system("awk -F, 'function is(x) {return x ~ /^[0-9]/ ? x : 0} " \
    ."NR == 1 {for (i = 1; i <= NF; ++i) c[$i] = i; next} " \
    ."$1 == \"".scenario."\" {v = is($c[\"".name."\"]); e = c[\"".name."_ci95\"]; " \
    ."v += e ? is($e) : 0; if (v > m) m = v} END {print (m > 0 ? 1.05 * m : 1)}' totals.csv"))

size(format, height) = format eq "svg" \
    ? sprintf("set terminal svg noenhanced size 860,%d font 'sans-serif,13' background 'white'", height) \
    : sprintf("set terminal pngcairo noenhanced size 1720,%d font 'Sans,10' fontscale 2 linewidth 2 background 'white'", 2 * height)

do for [scenario in scenarios] {
    if (rows(scenario) > 0) {
        # Without a value there is no bar: a histogram without any would be an error.
        data = "< (head -1 totals.csv; grep '^".scenario.",' totals.csv | sed 's/-\\{0,1\\}nan/0/g')"
        # Where nobody reacts there is no bar: just the foot of the logarithmic scale.
        reactions = "< (head -1 totals.csv; grep '^".scenario.",' totals.csv | " \
            ."sed 's/-\\{0,1\\}nan/0.0000101/g')"
        do for [format in formats] {
            eval size(format, 640)
            set output "losses-".scenario.".".format
            set multiplot layout 3,1 title "pre-ecn, ".scenario.one_run
            set style data histogram
            set style histogram errorbars gap 1 linewidth 1
            set style fill solid
            set key autotitle columnhead
            unset key
            set xtics nomirror scale 0 norotate
            unset xlabel
            set lmargin 10
            set rmargin 12
            set bmargin 3
            set yrange [0:top(scenario, "dropped_packets")]
            set xrange [-0.6:rows(scenario) - 0.4]
            set ylabel "lost, packets"
            plot data using (column("dropped_packets")):(half("dropped_packets")):xtic(shown(strcol(2))) linecolor rgb VERMILION
            set yrange [0:1e3 * top(scenario, "completion_time")]
            set ylabel "all-reduce, ms"
            plot data using (1e3 * column("completion_time")):(1e3 * half("completion_time")):xtic(shown(strcol(2))) \
                linecolor rgb GRAY
            set ylabel "reaction, ms"
            set yrange [0.01:1<*]
            set logscale y
            set key outside right top
            # On a logarithmic scale, a bar whose interval reaches 0 has none
            plot reactions using (1e3 * column("edge_reaction_time")): \
                     (1e3 * within("edge_reaction_time")):xtic(shown(strcol(2))) title "PE" \
                     linecolor rgb BLUE, \
                 reactions using (1e3 * column("sender_reaction_time")): \
                     (1e3 * within("sender_reaction_time")) title "sender" \
                     linecolor rgb ORANGE
            unset logscale y
            unset multiplot
            unset output
        }
    }
    do for [scheme in schemes] {
        queue = "queue-".scenario."-".scheme.".csv"
        log = "events-".scenario."-".scheme.".csv"
        if (count(queue, "^[0-9]") > 0) {
            do for [format in formats] {
                eval size(format, 720)
                set output "timeline-".scenario."-".scheme.".".format
                set multiplot layout 3,1 title "pre-ecn, ".scenario.", ".scheme
                set style data lines
                set key noautotitle outside right top width -4
                set xtics nomirror scale 0.5 norotate
                set lmargin 10
                set rmargin 20
                set bmargin -1
                set xrange [0:last(scenario)]
                set yrange [0:1<*]
                unset xlabel
                set ylabel "queue, MB"
                plot queue using (1e3 * $1):($2 / 1e6) every ::1 linewidth 1.5 linecolor rgb GRAY \
                    title "bottleneck"
                set ylabel "packets in 10 us"
                # Series without a point would be an error.
                plot queue using (1e3 * $1):3 every ::1 with impulses linecolor rgb SKY \
                         title "ECT(1)", \
                     queue using (1e3 * $1):4 every ::1 with impulses linecolor rgb VERMILION \
                         title "CE"
                set ylabel "Gbit/s"
                set xlabel "ms"
                edge = count(log, ",edge-rate,") > 0
                told = count(log, ",notification,") > 0
                cnps = count(log, ",cnp,") > 0
                sent = count(log, ",sender-rate,") > 0
                if (!edge && !told && !cnps && !sent) {
                    set yrange [0:1]
                    plot NaN notitle
                    unset multiplot
                    unset output
                    continue
                }
                plot (sent ? events(log, "sender-rate", last(scenario)) : queue) \
                         using (1e3 * $1):(sent ? $4 / 1e9 : NaN) with steps \
                         linewidth 1.5 linecolor rgb ORANGE title (sent ? "sender" : ""), \
                     (edge ? events(log, "edge-rate", last(scenario)) : queue) \
                         using (1e3 * $1):(edge ? $4 / 1e9 : NaN) with steps \
                         linewidth 1.5 linecolor rgb BLUE title (edge ? "flow at PE" : ""), \
                     (told ? events(log, "notification", 1e9) : queue) \
                         using (1e3 * $1):(told ? 5 : NaN) with points pointtype 2 pointsize 1 \
                         linecolor rgb GREEN title (told ? "notification" : ""), \
                     (cnps ? events(log, "cnp", 1e9) : queue) \
                         using (1e3 * $1):(cnps ? 10 : NaN) with points pointtype 1 pointsize 1 \
                         linecolor rgb VERMILION title (cnps ? "CNP" : "")
                unset multiplot
                unset output
            }
        }
    }
}
