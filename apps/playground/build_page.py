#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""build_page.py SOLVER_FOLDER OUT | --check: the page with the solver in it, as a folder for servers (OUT/) and as one file that
opens by itself (OUT/playground.html). Modules of the page import each other by name only, so that one after another
they are one script, main.js. sources.js is made here: the lines of the method that the stages of a step are, which --check only
looks for."""

import base64
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

IMPORT = re.compile(r"^import \{[^}]*\} from '\./([\w.]+)';\n", re.M)
TOP_NAME = re.compile(r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)", re.M)
STAGE = re.compile(r"^    \['.*', '(\w+\.cpp)', '(.*)', '\w+'\],$", re.M)
METHOD = "src/spume/methods/cip"
TEXTS = ("picture.js", "scenes.js")  # hold texts in which lines count: shaders, scene files
NODE = shutil.which("node")
PAGES = ("index.html", "playground.css", "main.js", "worker.js", "solver.js", "isolate.js")
SOLVERS = ("solver.wasm", "solver_threads.js", "solver_threads.wasm", "solver_threads.worker.js")


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()


def without_comments(text):
    """Comments that are lines of their own stay at home."""
    text = re.sub(r"^[ \t]*/\*.*?\*/[ \t]*\n", "", text, flags=re.M | re.S)
    return re.sub(r"^[ \t]*(//.*)?\n", "", text, flags=re.M)


def flush(name, text):
    """What lines begin with stays at home too, once it has said which names are at the top."""
    return text if name in TEXTS else re.sub(r"^[ \t]+", "", text, flags=re.M)


def source_lines(page):
    """[place, text] of each stage's line, found by its text: a page that quotes code must notice when that changes."""
    top = os.path.join(page, "..", "..", "..")
    places = []
    for name, wanted in STAGE.findall(read(page, "lessons.js")):
        lines = read(os.path.join(top, METHOD), name).split("\n")
        found = [i for i, line in enumerate(lines) if wanted in line]
        if len(found) != 1:
            sys.exit(f"lessons.js quotes '{wanted}' of {name}, which is there {len(found)} times")
        places.append([f"{name}:{found[0] + 1}  {lines[found[0]].strip()}", f"{METHOD}/{name}"])
    return f"export const sourceLines = {json.dumps(places, ensure_ascii=False)};\n"


def modules(texts, name, done):
    """Names of modules, each after those that it imports."""
    if name not in done:
        done[name] = None
        for other in IMPORT.findall(texts[name]):
            modules(texts, other, done)
        done.pop(name)
        done[name] = None
    return list(done)


def joined(texts, first):
    """All modules as one script."""
    names, text = {}, []
    for name in modules(texts, first, {}):
        source = IMPORT.sub("", texts[name])
        for top in TOP_NAME.findall(source):
            if top in names:
                sys.exit(f"{name} and {names[top]} both name something '{top}'")
            names[top] = name
        text.append(flush(name, re.sub(r"^export ", "", source, flags=re.M)))
    return "\n".join(text)


def quoted(text):
    """As a string of a script in a page."""
    plain = text.replace("\\", "\\\\").replace("`", "\\`").replace("${", "\\${").replace("</", "<\\/")
    return f"`{plain}`"


def policy(*scripts):
    """Only these scripts, and the worker made of them; no address is ever asked."""
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'" for s in scripts)
    return (f"default-src 'none'; script-src {hashes} 'wasm-unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; "
            "img-src data: blob:; media-src blob:")


def single(out):
    with open(os.path.join(out, "solver.wasm"), "rb") as file:
        wasm = base64.b64encode(gzip.compress(file.read(), 9, mtime=0)).decode()
    inline = (f"globalThis.spumeInline = {{\nsolver: {quoted(read(out, 'solver.js'))},\n"
              f"worker: {quoted(read(out, 'worker.js'))},\nwasm: '{wasm}' }};\n")
    script = read(out, "main.js")
    html = read(out, "index.html")
    html = re.sub(r'(Content-Security-Policy" content=")[^"]*', lambda m: m[1] + policy(inline, script), html)
    html = html.replace('<link rel="stylesheet" href="playground.css">', f"<style>\n{read(out, 'playground.css')}</style>")
    return html.replace('<script type="module" src="main.js"></script>',
                        f"<script>{inline}</script>\n<script type=\"module\">{script}</script>")


def packed(names):
    """kB of files as servers send them: by gzip, and by brotli where node is there to tell."""
    sums = [0.0, 0.0]
    for name in names:
        with open(name, "rb") as file:
            data = file.read()
        sums[0] += len(gzip.compress(data, 9)) / 1e3
        brotli = "process.stdout.write(String(require('zlib').brotliCompressSync(require('fs').readFileSync(0)).length))"
        told = subprocess.run(["node", "-e", brotli], input=data, capture_output=True, check=False) if NODE else None
        sums[1] += int(told.stdout) / 1e3 if told and told.stdout else float("nan")
    return f"{sums[0]:.0f} kB by gzip, {sums[1]:.0f} by brotli"


def main():
    page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page")
    if sys.argv[1:] == ["--check"]:
        source_lines(page)
        return
    solver, out = sys.argv[1:]
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    texts = {name: read(page, name) for name in os.listdir(page)}
    texts["sources.js"] = source_lines(page)
    texts = {name: text if name in TEXTS else without_comments(text) for name, text in texts.items()}
    texts["main.js"] = joined(texts, "main.js")
    for name in PAGES:
        with open(os.path.join(out, name), "w", encoding="utf-8") as file:
            file.write(texts[name] if name == "main.js" else flush(name, texts[name]))
    for name in SOLVERS:
        shutil.copyfile(os.path.join(solver, name), os.path.join(out, name))
    path = os.path.join(out, "playground.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(single(out))
    # What a visitor without threads asks for: all but the other program and the single file.
    asked = [os.path.join(out, name) for name in os.listdir(out) if "threads" not in name and name != "playground.html"]
    print(f"{path}: {os.path.getsize(path) / 1e3:.0f} kB, {packed([path])}; {out}/: {packed(asked)}, "
          f"of which the solver {packed([os.path.join(out, 'solver.wasm')])}")


main()
