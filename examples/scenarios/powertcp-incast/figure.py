#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""figure.py RESULTS: the queue, and the goodput of all flows, of each congestion control."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import figures

CONTROLS = ("powertcp", "theta_powertcp", "hpcc", "dcqcn", "timely")
SPAN = (0.9, 2.6)

figure, (above, below) = figures.panels(2, height=2.4)
for control in CONTROLS:
    run = figures.results(control)
    times, waiting = figures.queue(run, "leaf0.port11", SPAN)
    above.plot(times, [max(kb, 1) for kb in waiting], label=control)
    below.plot(*figures.rates(run, set(range(11)), SPAN, every=10))
above.set_yscale("log")
above.legend(fontsize=6)
figures.label(above, "10 flows of 300 kB join one at 1 ms", "ms", "queue, kB")
figures.label(below, "all of them together", "ms", "goodput, Gb/s")
figures.save(figure)
