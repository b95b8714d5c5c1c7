#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""figure.py RESULTS: rates of four flows that join and leave."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import figures

figure, axes = figures.panels(2)
for ax, control in zip(axes, ("hpcc", "dcqcn")):
    for flow in range(4):
        ax.plot(*figures.rates(figures.results(control), {flow}, every=10))
    ax.set_ylim(0, 24)
    figures.label(ax, control.upper(), "ms", "goodput, Gb/s")
figures.save(figure)
