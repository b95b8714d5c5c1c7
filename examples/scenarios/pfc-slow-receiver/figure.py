#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""figure.py RESULTS: goodput of the victim in each variant."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import figures

figure, (ax,) = figures.panels(1, columns=1)
for variant in ("healthy", "slow", "slow_dcqcn", "storm", "storm_watchdog"):
    ax.plot(*figures.rates(figures.results(variant), {1}, every=5), label=variant.replace("_", " "))
ax.legend()
figures.label(ax, "flow beside one to a slow NIC", "ms", "goodput, Gb/s")
figures.save(figure)
