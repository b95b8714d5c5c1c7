#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# The examples that test.py of an ns-3 tree runs: (command, when to run it, when under valgrind).
cpp_examples = []
python_examples = []
