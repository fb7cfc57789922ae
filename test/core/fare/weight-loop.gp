# SPDX-License-Identifier: GPL-2.0-only
#
# Draws doc/figures/weight-loop.png from what weight-loop-sweep.cc has written:
#
#   aidc-test-programs weight-loop-sweep >weight-loop.csv
#   gnuplot -e "file='weight-loop.csv'" test/core/fare/weight-loop.gp >doc/figures/weight-loop.png

set terminal pngcairo size 1100,420 font "sans,10"
set datafile separator ","
set multiplot layout 1,2
set xlabel "load of the leaves' uplinks, %"
set grid lc rgb "#dddddd"
set xrange [29:96]
case(name, leaves) = "<awk -F, '$1==\"".name."\" && $2==".leaves."' ".file

set title "4 leaves; the first of 2 spines has half its rate, or others take half of it"
set ylabel "arrived, %"
set yrange [60:101]
set key bottom left
plot case("slow", 4) u ($3*100):($5*100) w lp pt 7 lc rgb "#0072B2" t "half its rate, by available bandwidth", \
     "" u ($3*100):($4*100) w lp pt 6 dt 2 lc rgb "#0072B2" t "half its rate, static weights", \
     case("others", 4) u ($3*100):($5*100) w lp pt 5 lc rgb "#D55E00" t "others, by available bandwidth", \
     "" u ($3*100):($4*100) w lp pt 4 dt 2 lc rgb "#D55E00" t "others, static weights"

set title "24 combinations of times for each load, after a disturbance"
set ylabel "swing of a spine's share, settled, %"
set yrange [0:10]
set key top left
plot case("settled", 2) u ($3*100-0.4):($6*100) w p pt 7 lc rgb "#0072B2" t "2 leaves", \
     case("settled", 4) u ($3*100):($6*100) w p pt 5 lc rgb "#009E73" t "4 leaves", \
     case("settled", 16) u ($3*100+0.4):($6*100) w p pt 9 lc rgb "#D55E00" t "16 leaves"
unset multiplot
