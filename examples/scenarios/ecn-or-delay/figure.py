#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""figure.py RESULTS: completion times of short flows and slowdowns of long ones by load, and queues."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import figures

CONTROLS = {"dcqcn": "DCQCN", "timely": "TIMELY", "patched": "patched TIMELY"}
LOADS = (40, 60, 80)

figure, (short, long, queues) = figures.panels(3, columns=3, height=2)
for control, title in CONTROLS.items():
    def by_load(metric):
        return [figures.metric(f"{control}_{load}/{metric}") for load in LOADS]

    line, = short.plot(LOADS, [t / 1e3 for t in by_load("sizes.to_100kb.flow_fct_p90_ns")], "o-")
    median = [t / 1e3 for t in by_load("sizes.to_100kb.flow_fct_p50_ns")]
    short.plot(LOADS, median, "o:", color=line.get_color())
    long.plot(LOADS, by_load("sizes.over_1mb.flow_slowdown_mean"), "o-", label=title)
    run = figures.results(f"{control}_80", "seed-1")
    times, waiting = figures.queue(run, "leaf0.port10", (500, 1000))
    queues.plot(times, [max(kb, 1) for kb in waiting], linewidth=0.6)
for ax in (short, long, queues):
    ax.set_yscale("log")
long.legend(fontsize=6)
figures.label(short, "flows up to 100 kB: p90, dotted p50", "load, %", "completion time, us")
figures.label(long, "flows over 1 MB", "load, %", "slowdown, mean")
figures.label(queues, "load 80 %", "ms", "queue, kB")
figures.save(figure)
