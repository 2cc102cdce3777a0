# SPDX-License-Identifier: GPL-3.0-or-later
#
# Time of a pair by jitter, a curve a design and order of the threads' start;
# the shape of a point says which regime its run was in: clustered (waiters of
# one last-level cache stand next to each other), scattered, or both.
#
# By hand:
#	gnuplot -e "data='regime.tsv'; curves='zone:clustered zone:scattered'" \
#		regime.gp
# Variables, all with a default: data; curves (columns of data); terminal (svg,
# png, dumb); output (a file; none for dumb: standard output); heading;
# columns, rows (of dumb).

if (!exists("data")) data = "regime.tsv"
if (!exists("curves")) curves = "global:clustered global:scattered"
if (!exists("terminal")) terminal = "svg"
if (!exists("heading")) heading = ""
if (!exists("columns")) columns = 78
if (!exists("rows")) rows = 24
ascii = terminal eq "dumb"
if (!exists("output")) output = ascii ? "" : "regime." . terminal

if (terminal eq "svg") set terminal svg size 800,520 font "sans,14" \
	background "#ffffff"
if (terminal eq "png") set terminal pngcairo size 1600,1040 font "sans,14" \
	fontscale 1.8 linewidth 2 pointscale 2 background "#ffffff"
if (ascii) set terminal dumb size columns, rows noenhanced
if (output ne "") set output output

# Okabe and Ito: distinct with any common colour blindness.
set linetype 1 linecolor "#0072b2" linewidth 1.6 dashtype 1
set linetype 2 linecolor "#56b4e9" linewidth 1.6 dashtype 2
set linetype 3 linecolor "#d55e00" linewidth 1.6 dashtype 1
set linetype 4 linecolor "#e69f00" linewidth 1.6 dashtype 2
set linetype 5 linecolor "#009e73" linewidth 1.6 dashtype 1
set linetype 6 linecolor "#cc79a7" linewidth 1.6 dashtype 2
set linetype cycle 6

set datafile separator "\t"
set datafile missing "-"
stats data using (column("jitter_pct")) nooutput

set xlabel "jitter (%)"
if (ascii) set title "usec per pair" . (heading eq "" ? "" : ", ") . heading \
	noenhanced
if (!ascii) set title heading noenhanced
if (!ascii) set ylabel "time of a pair (usec)"
set xrange [-0.02 * STATS_max:1.02 * STATS_max]
set yrange [0:*]
set border 3
set tics nomirror out
if (!ascii) set grid ytics linecolor "#e4e4e4" linetype 1 linewidth 0.6
if (!ascii) set errorbars small
set key outside top center horizontal maxrows 4 noenhanced samplen 2.5
if (!ascii) set key reverse Left

# none, clustered, scattered, mixed
shape(regime) = int(word("1 7 6 8", int(regime) + 1))
regimes = "clustered scattered mixed"
colon(c) = strstrt(c, ":")
label(c) = !colon(c) ? c : substr(c, 1, colon(c) - 1) . ", " . \
	substr(c, colon(c) + 1, strlen(c)) . " start"
letter(i) = substr("ABCDEF", (i - 1) % 6 + 1, (i - 1) % 6 + 1)

if (ascii) plot \
	for [i = 1:words(curves)] data \
		using (column("jitter_pct")):(column(word(curves, i))) \
		with points pointtype letter(i) title label(word(curves, i))
if (!ascii) plot \
	for [i = 1:words(curves)] data \
		using (column("jitter_pct")):(column(word(curves, i))): \
		(column(word(curves, i) . ":ci95")) \
		with yerrorbars linetype i dashtype 1 pointtype -1 notitle, \
	for [i = 1:words(curves)] data \
		using (column("jitter_pct")):(column(word(curves, i))) \
		with lines linetype i title label(word(curves, i)), \
	for [i = 1:words(curves)] data \
		using (column("jitter_pct")):(column(word(curves, i))): \
		(shape(column(word(curves, i) . ":regime"))) \
		with points linetype i pointtype variable pointsize 0.9 \
		notitle, \
	for [r = 1:3] NaN with points pointtype shape(r) pointsize 0.9 \
		linecolor "#404040" title word(regimes, r) . " queue", \
	NaN with points pointtype shape(0) pointsize 0.9 \
		linecolor "#404040" title "no queue"
