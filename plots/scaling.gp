# SPDX-License-Identifier: GPL-3.0-or-later
#
# Time of an operation pair by number of jobs: published points grey behind
# simulated lines, whose bars are 95% intervals.
#
# By hand:
#	gnuplot -e "data='scaling.tsv'; designs='global zone'" scaling.gp
# Variables, all with a default: data; designs (columns of data); published
# (columns published:NAME, a list of the NAMEs); terminal (svg, png, dumb);
# output (a file; none for dumb: standard output); heading; columns, rows (of
# dumb).

if (!exists("data")) data = "scaling.tsv"
if (!exists("designs")) designs = "global zone"
if (!exists("published")) published = designs
if (!exists("terminal")) terminal = "svg"
if (!exists("heading")) heading = ""
if (!exists("columns")) columns = 78
if (!exists("rows")) rows = 24
ascii = terminal eq "dumb"
if (!exists("output")) output = ascii ? "" : "scaling." . terminal

if (terminal eq "svg") set terminal svg size 800,520 font "sans,14" \
	background "#ffffff"
if (terminal eq "png") set terminal pngcairo size 1600,1040 font "sans,14" \
	fontscale 1.8 linewidth 2 pointscale 2 background "#ffffff"
if (ascii) set terminal dumb size columns, rows noenhanced
if (output ne "") set output output

# Okabe and Ito: distinct with any common colour blindness.
set linetype 1 linecolor "#0072b2" linewidth 1.6 pointtype 7 pointsize 0.35
set linetype 2 linecolor "#d55e00" linewidth 1.6 pointtype 5 pointsize 0.35
set linetype 3 linecolor "#009e73" linewidth 1.6 pointtype 9 pointsize 0.4
set linetype 4 linecolor "#cc79a7" linewidth 1.6 pointtype 11 pointsize 0.4
set linetype 5 linecolor "#e69f00" linewidth 1.6 pointtype 13 pointsize 0.4
set linetype 6 linecolor "#56b4e9" linewidth 1.6 pointtype 7 pointsize 0.35
set linetype cycle 6
grey = "#b0b0b0"

set datafile separator "\t"
set datafile missing "-"

stats data using (column("jobs")) nooutput
wide = STATS_max > 128		# from one CPU to a large machine

set xlabel "jobs"
if (ascii) set title "usec per pair" . (heading eq "" ? "" : ", ") . heading \
	noenhanced
if (!ascii) set title heading noenhanced
if (!ascii) set ylabel "time of a pair (usec)"
set xrange [wide ? 1 : 0:STATS_max]
set yrange [0:*]
if (wide) set logscale x 2
if (!wide) set xtics STATS_max > 64 ? 16 : STATS_max > 16 ? 4 : 1
set border 3
set tics nomirror out
if (!ascii) set grid ytics linecolor "#e4e4e4" linetype 1 linewidth 0.6
if (!ascii) set errorbars small
set key outside top center horizontal maxrows 2 noenhanced samplen 1.5
if (!ascii) set key reverse Left

# One shape a design, for what was published as for what is simulated.
shape(i) = int(word("7 5 9 11 13 7", (i + 5) % 6 + 1))
number(name) = sum [i = 1:words(designs)] (word(designs, i) eq name ? i : 0)
letter(i) = substr("ABCDEF", (i - 1) % 6 + 1, (i - 1) % 6 + 1)

if (ascii) plot \
	for [d in published] data \
		using (column("jobs")):(column("published:" . d)) \
		with points pointtype "." title d . " published", \
	for [i = 1:words(designs)] data \
		using (column("jobs")):(column(word(designs, i))) \
		with points pointtype letter(i) \
		title word(designs, i) . " simulated"
if (!ascii) plot \
	for [d in published] data \
		using (column("jobs")):(column("published:" . d)) \
		with points pointtype shape(number(d)) pointsize 1.15 \
		linecolor rgb grey title d . ", published", \
	for [i = 1:words(designs)] data \
		using (column("jobs")):(column(word(designs, i))): \
		(column(word(designs, i) . ":ci95")) \
		with yerrorlines linetype i \
		title word(designs, i) . ", simulated, 95% interval"
