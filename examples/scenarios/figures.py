# SPDX-License-Identifier: GPL-2.0-only
"""What the figures of the scenarios share: results as series over time, panels, a small SVG.

Run a scenario, then its figure: `./aifabric run NAME --output DIR`, `python3 figure.py DIR`.
It needs Matplotlib (`apt-get install python3-matplotlib`).
"""

import csv
import json
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "ai-fabric", "font.size": 8, "lines.linewidth": 0.9,
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
    "path.simplify_threshold": 0.5,
})
from matplotlib import pyplot  # noqa: E402 - once it is known what it draws on

POINTS = 200  # of a line: no more can be told apart


def results(*parts):
    """The folder of results, or one of a run within it."""
    return pathlib.Path(sys.argv[1]).joinpath(*parts)


def rows(path):
    """The rows of a CSV file as dictionaries."""
    with open(path, encoding="utf-8") as file:
        yield from csv.DictReader(file)


def summary(run):
    """summary.json of a run."""
    return json.loads((run / "summary.json").read_text(encoding="utf-8"))


def metric(name):
    """Mean of a metric over all seeds: runs.json of the whole."""
    means = json.loads(results("runs.json").read_text(encoding="utf-8"))["metrics"]
    return means[name]["mean"]


def instants(run):
    """When samples were taken, in ms, and how far apart."""
    scenario = summary(run)
    outputs = scenario["scenario"]["outputs"]
    scales = {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}
    for unit, scale in scales.items():
        if f"sampling_interval_{unit}" in outputs:
            step = outputs[f"sampling_interval_{unit}"] * scale
    count = int(scenario["engine"]["simulated_s"] * 1e3 / step + 1e-6)
    return [step * (i + 1) for i in range(count)], step


def queue(run, link, span=(0, float("inf"))):
    """Times in ms and what waited for a port in kB, all priorities together."""
    times, step = instants(run)
    waiting = [0.0] * len(times)
    for row in rows(run / "queues.csv"):
        at = round(float(row["time_ns"]) * 1e-6 / step) - 1
        if row["link"] == link and at < len(times):
            waiting[at] += float(row["queued_bytes"]) / 1e3
    return thin(*within(times, waiting, span))


def rates(run, flows, span=(0, float("inf")), every=1):
    """Times in ms and the goodput in Gb/s of some flows together, over `every` samples each."""
    times, step = instants(run)
    arrived = [0.0] * (len(times) + 1)
    ended = {}
    for number, row in enumerate(rows(run / "flows.csv")):
        if number in flows and row["fct_ns"]:
            end = (float(row["start_ns"]) + float(row["fct_ns"])) * 1e-6
            ended[number] = (end, float(row["delivered_bytes"]))
    for row in rows(run / "progress.csv"):
        at = round(float(row["time_ns"]) * 1e-6 / step)
        if int(row["flow"]) in flows and at < len(arrived):
            arrived[at] += float(row["delivered_bytes"])
    for end, size in ended.values():
        for at in range(int(end / step) + 1, len(arrived)):
            arrived[at] += size
    arrived = arrived[::every]
    speed = [(b - a) * 8e-6 / (step * every) for a, b in zip(arrived, arrived[1:])]
    return thin(*within([step * every * (i + 1) for i in range(len(speed))], speed, span))


def within(times, values, span):
    """The part of a series between two times."""
    chosen = [(t, v) for t, v in zip(times, values) if span[0] <= t <= span[1]]
    return [t for t, _ in chosen], [v for _, v in chosen]


def thin(times, values):
    """Every n-th point, so that POINTS are left."""
    step = max(1, len(times) // POINTS)
    return times[::step], [round(v, 3) for v in values[::step]]


def panels(count, columns=2, height=1.7):
    """A figure, and its axes one after the other."""
    lines = -(-count // columns)
    figure, axes = pyplot.subplots(
        lines, columns, figsize=(3.4 * columns, height * lines), squeeze=False,
        constrained_layout=True)
    axes = [ax for line in axes for ax in line]
    for ax in axes[count:]:
        ax.set_visible(False)
    return figure, axes[:count]


def label(ax, title, x, y):
    """Writes what a panel shows."""
    ax.set_title(title, loc="left", fontsize=8)
    ax.set_xlabel(x)
    ax.set_ylabel(y)


def save(figure):
    """Writes figure.svg beside the script."""
    path = pathlib.Path(sys.argv[0]).resolve().parent / "figure.svg"
    figure.savefig(path, metadata={"Date": None})
    text = path.read_text(encoding="utf-8")
    path.write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n", encoding="utf-8")
