#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""figure.py RESULTS: the queue over time, for each number of flows and each loop, of the first seed."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import figures

PANELS = {"flows2": "2 flows", "flows10": "10 flows", "flows64": "64 flows"}

figure, axes = figures.panels(4)
for ax, (name, title) in zip(axes, PANELS.items()):
    for loop, line in (("85us", "tab:red"), ("4us", "tab:blue")):
        run = figures.results(f"{name}_{loop}", "seed-1")
        ax.plot(*figures.queue(run, "leaf0.port64", (100, 120)), color=line, label=f"loop {loop}")
    figures.label(ax, title, "ms", "queue, kB")
axes[0].legend()
for name, line in (("flows10_85us", "tab:red"), ("flows10_85us_cured", "tab:green")):
    run = figures.results(name, "seed-1")
    axes[3].plot(*figures.queue(run, "leaf0.port64", (100, 120)), color=line, label=name[13:])
figures.label(axes[3], "10 flows, loop 85us; green: cured", "ms", "queue, kB")
figures.save(figure)
