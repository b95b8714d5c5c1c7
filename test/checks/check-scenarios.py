#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Scenarios that reproduce something say what, and have their figure and the script that draws it."""

import json

import checklib

FOLDER = "examples/scenarios/"
LARGEST_FIGURE = 60000


def check(tree):
    for path, text in tree.items():
        name, _, file = path[len(FOLDER):].partition("/")
        if not path.startswith(FOLDER) or file != "scenario.json":
            continue
        folder = FOLDER + name
        scenario = json.loads(text)
        if not scenario.get("description"):
            yield f"{path}: no description"
        if scenario.get("name", name) != name:
            yield f"{path}: its name is not that of its folder"
        files = {each for each in ("figure.py", "figure.svg") if f"{folder}/{each}" in tree}
        if scenario.get("source") and (len(files) < 2 or not scenario.get("checks")):
            yield f"{path}: a source, but no figure.py, figure.svg or checks"
        if len(files) == 1:
            yield f"{folder}: {files.pop()} alone"
        if len(tree.get(f"{folder}/figure.svg", "").encode()) > LARGEST_FIGURE:
            yield f"{folder}/figure.svg: over {LARGEST_FIGURE} bytes"


def scenario(files=(), **keys):
    """A folder with a scenario and other files."""
    return {f"{FOLDER}s/scenario.json": json.dumps({"description": "d", **keys}),
            **{f"{FOLDER}s/{file}": "x" for file in files}}


checklib.run(
    check,
    good={**scenario(("figure.py", "figure.svg"), source="p", checks=[{}], name="s")},
    bad=[
        scenario(description=""),
        scenario(name="t"),
        scenario(("figure.py",), source="p", checks=[{}]),
        scenario(("figure.py", "figure.svg"), source="p"),
        scenario(("figure.svg",)),
        {**scenario(("figure.py",)), f"{FOLDER}s/figure.svg": "x" * 60001},
    ],
)
