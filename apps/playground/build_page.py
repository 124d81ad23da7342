#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""build_page.py SOLVER_FOLDER OUT: the page with the solver in it, as a folder for servers (OUT/) and as one file that
opens by itself (OUT/playground.html). Modules of the page import each other by name only, so that one after another
they are one script."""

import base64
import gzip
import os
import re
import shutil
import sys

IMPORT = re.compile(r"^import \{[^}]*\} from '\./([\w.]+)';\n", re.M)
TOP_NAME = re.compile(r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)", re.M)


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()


def modules(folder, name, done):
    """Names of modules, each after those that it imports."""
    if name not in done:
        done[name] = None
        for other in IMPORT.findall(read(folder, name)):
            modules(folder, other, done)
        done.pop(name)
        done[name] = None
    return list(done)


def joined(folder, first):
    """All modules as one script."""
    names, text = {}, []
    for name in modules(folder, first, {}):
        source = IMPORT.sub("", read(folder, name))
        for top in TOP_NAME.findall(source):
            if top in names:
                sys.exit(f"{name} and {names[top]} both name something '{top}'")
            names[top] = name
        text.append(re.sub(r"^export ", "", source, flags=re.M))
    return "\n".join(text)


def quoted(text):
    """As a string of a script in a page."""
    plain = text.replace("\\", "\\\\").replace("`", "\\`").replace("${", "\\${").replace("</", "<\\/")
    return f"`{plain}`"


def single(page, solver):
    with open(os.path.join(solver, "solver.wasm"), "rb") as file:
        wasm = base64.b64encode(gzip.compress(file.read(), 9, mtime=0)).decode()
    inline = (f"globalThis.spumeInline = {{\nsolver: {quoted(read(solver, 'solver.js'))},\n"
              f"worker: {quoted(read(page, 'worker.js'))},\nwasm: '{wasm}' }};\n")
    html = read(page, "index.html")
    html = html.replace('<link rel="stylesheet" href="playground.css">', f"<style>\n{read(page, 'playground.css')}</style>")
    return html.replace('<script type="module" src="main.js"></script>',
                        f"<script>\n{inline}</script>\n<script type=\"module\">\n{joined(page, 'main.js')}</script>")


def main():
    solver, out = sys.argv[1:]
    page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page")
    os.makedirs(out, exist_ok=True)
    for name in sorted(os.listdir(page)):
        shutil.copyfile(os.path.join(page, name), os.path.join(out, name))
    for name in ("solver.js", "solver.wasm"):
        shutil.copyfile(os.path.join(solver, name), os.path.join(out, name))
    path = os.path.join(out, "playground.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(single(page, solver))
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        packed = len(gzip.compress(file.read(), 9))
    print(f"{path}: {size / 1e3:.0f} kB, {packed / 1e3:.0f} kB compressed")


main()
