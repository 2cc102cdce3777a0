# SPDX-License-Identifier: GPL-3.0-or-later
# Speed of the simulator, printed and never tested.
.PHONY: bench
bench: vmapsim
	$(SHELL) $(top_srcdir)/bench/run.sh ./vmapsim

EXTRA_DIST += bench/run.sh
