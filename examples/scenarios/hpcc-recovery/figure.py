#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""figure.py RESULTS: the rates of a long flow and a short one."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import figures

figure, axes = figures.panels(2)
for ax, control in zip(axes, ("hpcc", "dcqcn")):
    for flow, name in enumerate(("long", "short")):
        run = figures.results(control)
        ax.plot(*figures.rates(run, {flow}, (0.5, 3.5), every=8), label=name)
    ax.set_ylim(0, 25)
    figures.label(ax, control.upper(), "ms", "goodput, Gb/s")
axes[0].legend()
figures.save(figure)
