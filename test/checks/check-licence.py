#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The first line of a source file, after #!, says its licence."""

import re

import checklib

KINDS = re.compile(r"(\.(h|cc|py|sh|cmake)|(^|/)(CMakeLists\.txt|aifabric|run))$")


def check(tree):
    for path, text in tree.items():
        if not KINDS.search(path):
            continue
        lines = [line for line in text.split("\n")[:2] if not line.startswith("#!")]
        mark = "//" if path.endswith((".h", ".cc")) else "#"
        if lines[:1] != [f"{mark} SPDX-License-Identifier: GPL-2.0-only"]:
            yield f"{path}: does not begin with '{mark} SPDX-License-Identifier: GPL-2.0-only'"


SPDX = "SPDX-License-Identifier: GPL-2.0-only"
checklib.run(
    check,
    good={"a.h": f"// {SPDX}\n", "a.py": f"#!/x\n# {SPDX}\n", "aifabric": f"#!/x\n# {SPDX}\n"},
    bad=[
        {"a.cc": ""},
        {"a.cc": f"\n// {SPDX}\n"},
        {"a.cc": "// SPDX-License-Identifier: MIT\n"},
        {".ci/run": "#!/x\necho\n"},
        {"b/CMakeLists.txt": "if()\n"},
    ],
)
