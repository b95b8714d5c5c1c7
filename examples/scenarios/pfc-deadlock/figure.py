#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""figure.py RESULTS: goodput of all five flows together."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import figures

figure, (ax,) = figures.panels(1, columns=1)
for variant in ("two_hops", "one_hop", "watchdog"):
    run = figures.results(variant)
    ax.plot(*figures.rates(run, set(range(5)), every=4), label=variant.replace("_", " "))
ax.legend()
figures.label(ax, "five switches in a ring", "ms", "goodput, Gb/s")
figures.save(figure)
