#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""No paths of one machine, no marks of unfinished work."""

import re

import checklib

# In pieces, so that this file passes.
PATHS = re.compile(r"(?<![\w.$}/])/(" + "|".join(("work", "tmp", "home", "root")) + r")(?![\w.-])")
MARKS = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK")) + r")\b")


def check(tree):
    for path, text in tree.items():
        if path == "LICENSE":
            continue
        for number, line in enumerate(text.split("\n"), 1):
            if PATHS.search(line):
                yield f"{path}:{number}: a path of one machine: {line.strip()}"
            if MARKS.search(line):
                yield f"{path}:{number}: unfinished: {line.strip()}"


checklib.run(
    check,
    good={"a.md": "https://x.org/home/a ../home/b network/tmp $HOME/home and TODOS"},
    bad=[
        {"a.md": "see /" + "tmp/x"},
        {"a.sh": '"/' + 'home/me"'},
        {"a.json": '{"file": "/' + 'work"}'},
        {"a.cc": "// TO" + "DO: later"},
    ],
)
