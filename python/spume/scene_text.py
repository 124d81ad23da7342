# SPDX-License-Identifier: Apache-2.0
# Copyright The Spume authors
"""Scenes as dictionaries: what a scene file would say, written as the text of one."""

import math
import re

from .errors import UserError

BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


def _wrong(path, value):
    return UserError(f"error: {path} is {value!r}, which a scene cannot hold",
                     [{"file": "", "line": 0, "column": 0,
                       "message": f"{path} is {value!r}, which a scene cannot hold",
                       "remedy": "Give a number, a text, a list or a dictionary."}])


def _key(name, path):
    if not isinstance(name, str):
        raise _wrong(f"a key of {path or 'the scene'}", name)
    return name if BARE.match(name) else _text(name)


def _text(value):
    escaped = {"\\": "\\\\", '"': '\\"'}
    return '"' + "".join(escaped.get(c) or (c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}")
                         for c in value) + '"'


def value_text(value, path="value"):
    """One value as TOML. Numbers and arrays of numpy are taken too."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if hasattr(value, "__fspath__"):
        value = value.__fspath__()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _wrong(path, value)
        return repr(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_text(v, f"{path}[{i}]") for i, v in enumerate(value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(k, path)} = {value_text(v, f'{path}.{k}')}"
                                for k, v in value.items()) + " }"
    raise _wrong(path, value)


def scene_text(content):
    """The text of a scene file with this content."""
    if not isinstance(content, dict):
        raise _wrong("the scene", content)
    lines = [f"{_key(k, '')} = {value_text(v, k)}" for k, v in content.items()
             if not isinstance(v, dict)]
    for name, table in content.items():
        if isinstance(table, dict):
            lines.append(f"[{_key(name, '')}]")
            lines += [f"{_key(k, name)} = {value_text(v, f'{name}.{k}')}" for k, v in table.items()]
    return "\n".join(lines) + "\n"
