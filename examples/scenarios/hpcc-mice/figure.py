#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""figure.py RESULTS: completion times of mice, and the queue they meet."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import figures

figure, (above, below) = figures.panels(2)
for control in ("hpcc", "dcqcn"):
    run = figures.results(control)
    times = [float(row["fct_ns"]) / 1e3 for row in figures.rows(run / "flows.csv")
             if row["tag"] == "mice"]
    shares = [(i + 1) / len(times) for i in range(len(times))]
    above.plot(*figures.thin(sorted(times), shares), label=control.upper())
    below.plot(*figures.queue(run, "leaf0.port3", (4, 8)))
above.legend()
figures.label(above, "mice of 1 kB", "completion time, us", "share")
figures.label(below, "queue beside two elephants", "ms", "kB")
figures.save(figure)
