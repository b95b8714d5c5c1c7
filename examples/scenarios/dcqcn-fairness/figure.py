#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""figure.py RESULTS: rates of the two flows and their queue over time, of the first seed."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import figures

run = figures.results("seed-1")
figure, (above, below) = figures.panels(2)
for flow in (0, 1):
    above.plot(*figures.rates(run, {flow}, every=50), label=f"flow {flow}")
above.axhline(18.484, color="grey", linewidth=0.5, linestyle="--")
above.legend()
figures.label(above, "DCQCN, 2 flows at 40 Gb/s", "ms", "goodput, Gb/s")
below.plot(*figures.queue(run, "leaf0.port2"), color="tab:green")
below.axhline(40.7, color="grey", linewidth=0.5, linestyle="--")
figures.label(below, "queue; dashed: fixed point", "ms", "kB")
figures.save(figure)
