# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Draws doc/figures/weight-loop.png from what aidc-weight-loop-sweep has written:
#
#   aidc-weight-loop-sweep >weight-loop.csv
#   gnuplot -e "file='weight-loop.csv'" test/core/bgp/weight-loop.gp >doc/figures/weight-loop.png

set terminal pngcairo size 1100,420 font "sans,10"
set datafile separator ","
set multiplot layout 1,2
set xlabel "load of the leaves' uplinks, %"
set grid lc rgb "#dddddd"
set xrange [30:95]
case(name, leaves) = "<awk -F, '$1==\"".name."\" && $2==".leaves."' ".file

set title "4 leaves, first spine with half of its rate, or half taken by others"
set ylabel "arrived, %"
set yrange [60:101]
set key bottom left
plot case("slow", 4) u ($4*100):($10*100) w lp pt 7 lc rgb "#0072B2" t "half the rate, by load", \
     "" u ($4*100):($9*100) w lp pt 6 dt 2 lc rgb "#0072B2" t "half the rate, fixed weights", \
     case("others", 4) u ($4*100):($10*100) w lp pt 5 lc rgb "#D55E00" t "others, by load", \
     "" u ($4*100):($9*100) w lp pt 4 dt 2 lc rgb "#D55E00" t "others, fixed weights"

set title "2, 4, 16 leaves, RTT 0 to 1 s, UpdateInterval 0 to 5 s, TimeConstant 0.1 and 1 s"
set ylabel "swing of a spine's share, settled, %"
set yrange [0:10]
set key top left
plot case("settled", 2) u ($4*100-0.4):($11*100) w p pt 7 lc rgb "#0072B2" t "2 leaves", \
     case("settled", 4) u ($4*100):($11*100) w p pt 5 lc rgb "#009E73" t "4 leaves", \
     case("settled", 16) u ($4*100+0.4):($11*100) w p pt 9 lc rgb "#D55E00" t "16 leaves"
unset multiplot
