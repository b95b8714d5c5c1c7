#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# in-tree.sh FOLDER: builds ns-3 from the source package of this machine's distribution, unpatched,
# with this module in contrib/, and runs the suites and examples that its test.py finds there. Keeps
# the tree in FOLDER.
set -euo pipefail

here=$(dirname "$(dirname "$(readlink -f "$0")")")
work=$1
mkdir -p "$work"
work=$(cd "$work" && pwd)

# apt does not know source packages unless told so: a copy of its lists of sources tells it.
fetch() {
    local file option=() parts=$work/apt/parts
    mkdir -p "$parts" "$work/apt/lists/partial" "$work/apt/cache/archives/partial"
    for file in /etc/apt/sources.list.d/*.sources; do
        [[ ! -e $file ]] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$parts/${file##*/}"
    done
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [[ ! -e $file ]] || sed -n 's/^deb[[:space:]]/deb-src /p' "$file" >"$parts/x-${file##*/}.list"
    done
    option=(-q -o "Dir::Etc::SourceList=$parts/none" -o "Dir::Etc::SourceParts=$parts"
            -o "Dir::State::Lists=$work/apt/lists" -o "Dir::Cache=$work/apt/cache")
    apt-get "${option[@]}" update
    (cd "$work" && apt-get "${option[@]}" --download-only source ns3)
    dpkg-source --skip-patches --no-check -x "$work"/ns3_*.dsc "$work/unpacked"
    # Some releases of the package keep ns-3 in a folder below.
    mv "$(dirname "$(find "$work/unpacked" -maxdepth 2 -name ns3 -type f)")" "$work/tree"
}

[[ -d $work/tree ]] || fetch
module=$work/tree/contrib/ai-fabric
rm -rf "$module"
mkdir -p "$module"
tar -C "$here" --exclude=./.git --exclude='./build*' --exclude=./out -cf - . | tar -C "$module" -xf -

cd "$work/tree"
if [[ ! -d cmake-cache ]]; then
    ./ns3 configure --build-profile=release --enable-tests --enable-examples \
        --enable-modules=ai-fabric --filter-module-examples-and-tests=ai-fabric -- -G Ninja
fi
ninja -C cmake-cache
./test.py --no-build
