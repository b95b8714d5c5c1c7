#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""figure.py RESULTS: queue and completion times of an incast under each congestion control."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import figures

CONTROLS = ("none", "fixed", "dcqcn", "dctcp", "timely", "patched_timely", "swift", "hpcc",
            "hpcc_pint", "powertcp", "theta_powertcp", "nscc", "rccc")
METRICS = {
    "burst.queue.leaf0.port9.mean_bytes": ("queue during the incast, mean", "kB", 1e-3),
    "tags.burst.flow_fct_max_ns": ("last flow of the incast", "completion time, ms", 1e-6),
    "tags.long.flow_fct_max_ns": ("long flow", "completion time, ms", 1e-6),
}

figure, axes = figures.panels(3, columns=3, height=2.6)
for ax, (name, (title, unit, scale)) in zip(axes, METRICS.items()):
    ax.barh(CONTROLS, [figures.metric(f"{each}/{name}") * scale for each in CONTROLS])
    ax.invert_yaxis()
    figures.label(ax, title, unit, "")
axes[0].set_xscale("log")
figures.save(figure)
