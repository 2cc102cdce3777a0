/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_VERSION_H
#define SIM_VERSION_H

/*
 * Goes into every run's key. To be raised whenever the same scenario gives
 * other numbers than before, however little; CHANGELOG.md says which ones.
 */
#define MODEL_VERSION 1

/* "0.1.0" */
const char *version_program(void);
/* "0.1.0 model 1": what a stored run carries. */
const char *version_full(void);

#endif
