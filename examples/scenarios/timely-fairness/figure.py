#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""figure.py RESULTS: the rates of two flows over time, and the queue of forty."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import figures

PANELS = {
    "timely_from_7_and_3": "TIMELY from 7 and 3 Gb/s",
    "timely_from_5_and_5": "TIMELY from 5 and 5 Gb/s",
    "timely_one_late": "TIMELY, one flow 10 ms late",
    "patched_from_7_and_3": "patched TIMELY from 7 and 3 Gb/s",
}

figure, axes = figures.panels(5)
for ax, (name, title) in zip(axes, PANELS.items()):
    for flow in (0, 1):
        ax.plot(*figures.rates(figures.results(name), {flow}, every=15))
    ax.set_ylim(0, 10)
    figures.label(ax, title, "ms", "goodput, Gb/s")
axes[4].plot(*figures.queue(figures.results("patched_forty"), "leaf0.port40"), color="tab:green")
axes[4].axhline(368.7, color="grey", linewidth=0.5, linestyle="--")
figures.label(axes[4], "patched TIMELY, 40 flows; dashed: fixed point", "ms", "queue, kB")
figures.save(figure)
