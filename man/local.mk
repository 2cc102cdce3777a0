# SPDX-License-Identifier: GPL-3.0-or-later
dist_man_MANS += \
	man/vmapsim-calibrate.1 \
	man/vmapsim-compare.1 \
	man/vmapsim-db.5 \
	man/vmapsim-job.5 \
	man/vmapsim-list.1 \
	man/vmapsim-plot.1 \
	man/vmapsim-query.1 \
	man/vmapsim-run.1 \
	man/vmapsim-sweep.1 \
	man/vmapsim-validate.1 \
	man/vmapsim.1
