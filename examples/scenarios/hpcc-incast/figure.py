#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""figure.py RESULTS: the queue of an incast, and the goodput of all flows."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import figures

figure, (above, below) = figures.panels(2)
for control in ("hpcc", "dcqcn"):
    run = figures.results(control)
    above.plot(*figures.queue(run, "leaf0.port8", (0.9, 2.5)), label=control.upper())
    below.plot(*figures.rates(run, set(range(8)), (0.9, 4), every=20))
above.legend()
figures.label(above, "7 hosts join a long flow at 1 ms", "ms", "queue, kB")
figures.label(below, "all of them together", "ms", "goodput, Gb/s")
figures.save(figure)
