# SPDX-License-Identifier: GPL-3.0-or-later
# Speed of the simulator, printed and never tested: see bench/run.sh.
.PHONY: bench
bench: vmapsim
	$(SHELL) $(top_srcdir)/bench/run.sh
