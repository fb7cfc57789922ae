# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Draws the figures of the experiment two-sites as PNG and SVG, with gnuplot 5.2 or later:
#
#   cd results/two-sites && gnuplot figures.gp
#   gnuplot -e "dir='results/two-sites'" examples/two-sites/two-sites.gp
#
# It reads summary.json, a line per metric in an object per scheme:
#
#   "SCHEME@SCENARIO": {
#     "step_time": {"value": 0.0249, "unit": "s", "ci95": 0.0031, "runs": [0.0241, 0.0257]},
#
# and writes step, the time of the training step, and mechanisms, what each mechanism is for, as .png
# and .svg. A bar is the mean with its 95 % confidence interval, a dot a run, a dash the median.

if (!exists("dir")) dir = "."
cd dir

formats = "png svg"

# Colors that color-blind readers can tell apart (Okabe and Ito). A scheme without one of the
# mechanisms has a lighter shade of the color of that one
schemes = "baseline coupled-ecn flow-set fare pre-ecn csig all fare-pre-ecn all-but-coupled-ecn " \
    ."all-but-flow-set all-but-fare all-but-pre-ecn all-but-csig"
scheme_colors = "#595959 #0072B2 #009E73 #CC79A7 #56B4E9 #E69F00 #D55E00 #8F7FBF #80B9D9 " \
    ."#80CFB9 #E6BCD3 #ABDAF4 #F2CF80"
other_color = "#8C8C8C"

# Each figure or panel: the metric, its title, what it is multiplied by, and its schemes
array metrics[7] = ["step_time", "unmarked_xoffs", "load_imbalance", "degraded_misfit", \
                    "reaction_time", "wan_drops", "waiting_port_named"]
array titles[7] = ["two-sites: time of a training step (ms)", "Coupled ECN: XOFFs before any mark", \
                   "Flow sets: imbalance of uplinks", "FARE: misfit of the degraded link's share", \
                   "Pre-ECN: reaction to congestion (ms)", "Pre-ECN: packets dropped in the WAN", \
                   "CSIG: longest wait identified (share)"]
array factors[7] = [1e3, 1, 1, 1, 1e3, 1, 1]
array compared[7] = ["", "baseline coupled-ecn all", "baseline flow-set all", "baseline fare all", \
                     "baseline pre-ecn all", "baseline pre-ecn all", "baseline csig all"]

set encoding utf8
set border 3 linewidth 1 linecolor rgb "#404040"

# What summary.json has, by an awk program that gets each line as words
read(program) = system("awk -F '[][{},:\" ]+' '/^    \"/ {split($2, scheme, \"@\")} ".program."' summary.json 2>/dev/null")
# The mean of a scheme's metric, the half of its interval (0 for one run), and its runs; empty for no value
entry(name, metric) = read("scheme[1] == \"".name."\" && $2 == \"".metric."\" && $4 != \"null\" {half = 0; " \
    ."for (i = 5; i <= NF && $i != \"runs\"; ++i) if ($i == \"ci95\" && $(i + 1) != \"null\") half = $(i + 1); " \
    ."printf \"%s %s\", $4, half; while (++i < NF && $i ~ /^[-0-9n]/) if ($i != \"null\") printf \" %s\", $i}")
# How to read the figures, which have no intervals of one run
legend = read("/^  \"runs\": [^1]|^  \"runs\": 1[0-9]/") ne "" \
    ? "bar: mean with 95 % confidence interval; dot: a run; dash: median" : "(one run)"
compared[1] = read("$2 == \"step_time\" {printf \"%s \", scheme[1]}")
# The panels of which there is something to draw
panels = ""
do for [j = 1:7] {
    values = ""
    do for [name in compared[j]] { values = values.entry(name, metrics[j]) }
    panels = panels.(strlen(values) > 0 ? " ".j : "")
}
n_panels = words(panels) - (word(panels, 1) eq "1" ? 1 : 0)

place(name) = sum [k = 1:words(schemes)] (word(schemes, k) eq name ? k : 0)
color(name) = int("0x".(place(name) > 0 ? word(scheme_colors, place(name)) : other_color)[2:])

size(format, width, height) = format eq "svg" \
    ? sprintf("set terminal svg noenhanced size %d,%d font 'sans-serif,12' background 'white'", width, height) \
    : sprintf("set terminal pngcairo noenhanced size %d,%d font 'Sans,9' fontscale 2 linewidth 2 " \
              ."pointscale 2 background 'white'", 2 * width, 2 * height)

set boxwidth 0.7
set xtics nomirror scale 0
set ytics nomirror
set grid ytics linecolor rgb "#D9D9D9"
unset key

draw = 'plot $bars using 1:2:5 with boxes fillstyle solid 0.45 noborder linecolor rgb variable, ' \
    .'$bars using 1:3:(0):($4 - $3) with vectors heads size graph 0.012,90 linewidth 1 ' \
    .'linecolor rgb "#000000"'
draw_runs = ', $dots using 1:2:3 with points pointtype 7 pointsize 0.45 linecolor rgb variable, ' \
    .'$medians using ($1 - 0.22):2:(0.44):(0) with vectors nohead linewidth 2 linecolor rgb "#000000"'

do for [format in words(panels) > 0 ? formats : ""] {
    do for [panel in panels] {
        j = int(panel)
        if (j == 1) {
            eval size(format, words(compared[1]) > 8 ? 95 * words(compared[1]) : 760, 420)
            set output "step.".format
        } else {
            if (GPVAL_MULTIPLOT == 0) {
                rows = n_panels > 3 ? 2 : 1
                columns = n_panels > 3 ? 3 : n_panels
                eval size(format, 120 + 300 * columns, 20 + 310 * rows)
                set output "mechanisms.".format
                set multiplot layout rows,columns title legend noenhanced
            }
        }
        # Bars: place, mean, ends of the interval, color; dots: place, value, color; medians
        undefine $bars $dots $medians
        top = 0
        bottom = 0
        n = 0
        set xtics ()
        set autoscale # or stats would skip what is out of the last panel's range
        do for [name in compared[j]] {
            found = entry(name, metrics[j])
            if (words(found) > 0) {
                n = n + 1
                set xtics add (name n)
                mean = factors[j] * word(found, 1)
                half = factors[j] * word(found, 2)
                runs = words(found) - 2
                set print $runs
                do for [k = 3:words(found)] { print factors[j] * word(found, k) }
                set print
                stats $runs using 1 nooutput
                # What cannot be negative has no interval below 0
                low = STATS_min >= 0 && half > mean ? 0 : mean - half
                top = (top > mean + half) ? top : mean + half
                top = (top > STATS_max) ? top : STATS_max
                bottom = (bottom < low) ? bottom : low
                set print $bars append
                print sprintf("%d %.9g %.9g %.9g %d", n, mean, low, mean + half, color(name))
                if (runs > 1) {
                    set print $dots append
                    do for [k = 1:runs] {
                        print sprintf("%.9g %.9g %d", n + 0.5 * ((k - 0.5) / runs - 0.5), \
                                      factors[j] * word(found, k + 2), color(name))
                    }
                    set print $medians append
                    print sprintf("%d %.9g", n, STATS_median)
                }
                set print
            }
        }
        set title titles[j].(j == 1 ? "\n".legend : "") noenhanced
        set xtics rotate by (n > 3 ? -30 : 0)
        set xrange [0.4:n + 0.6]
        set yrange [1.05 * bottom:(top > 0 ? 1.05 * top : 1)]
        eval draw.(exists("$dots") ? draw_runs : "")
        if (j == 1) { unset output }
    }
    unset multiplot
    unset output
}
