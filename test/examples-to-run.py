#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# The examples that test.py of an ns-3 tree runs: (command, when to run it, when under valgrind).
cpp_examples = [
    ("first-fabric", "True", "True"),
    ("rc-pingpong --iters=200", "True", "True"),
    ("write-bw --iters=500 --qp=2", "True", "True"),
    ("write-bw --iters=10 --all", "True", "True"),
    ("read-lat --size=8 --iters=200", "True", "True"),
    ("send-lat --iters=20 --all", "True", "True"),
    ("atomic-bw --iters=500 --qp=2", "True", "True"),
    ("own-congestion-control", "True", "False"),
    ("aifabric list", "True", "True"),
    ("aifabric validate llama3-8b-2x8", "True", "True"),
    ("aifabric run llama3-8b-2x8 --quiet", "True", "False"),
]
python_examples = []
