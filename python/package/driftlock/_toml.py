"""Mappings as texts: what a file says that means the same, in TOML."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping
from typing import Any


def text(told: Mapping[str, Any]) -> str:
    """The text of a mapping. Values come first, then a section to each mapping or list of mappings, and
    what is inside of these is in one line each, in the order of the mapping."""
    values, sections = [], []
    for key, value in told.items():
        name = _key(key, "")
        if isinstance(value, Mapping):
            sections.append(_section(f"[{name}]", value, key))
        elif isinstance(value, (list, tuple)) and value and all(isinstance(each, Mapping) for each in value):
            sections += [_section(f"[[{name}]]", each, f"{key}[{k}]") for k, each in enumerate(value)]
        else:
            values.append(f"{name} = {_value(value, key)}\n")
    return "\n".join(["".join(values)] * bool(values) + sections)


def _section(head: str, told: Mapping[Any, Any], at: str) -> str:
    return "\n".join([head, *_entries(told, at)]) + "\n"


def _entries(told: Mapping[Any, Any], at: str) -> list[str]:
    return [f"{_key(key, at)} = {_value(value, f'{at}.{key}')}" for key, value in told.items()]


def _key(key: Any, at: str) -> str:
    if not isinstance(key, str):
        inside = f"{at}: " if at else ""
        raise TypeError(f"{inside}a key is a text, not {key!r}")
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else _string(key, at)


def _value(value: Any, at: str) -> str:
    """A value in one line. What NumPy, pandas and others have is taken for what it is in Python."""
    if value is None:
        raise ValueError(f"{at}: None is no value: leave it out")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return _whole(int(value), at)
    if isinstance(value, float):
        return _float(float(value), at)
    if isinstance(value, str):
        return _string(value, at)
    if isinstance(value, os.PathLike):
        return _string(os.fsdecode(value), at)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(_entries(value, at)) + " }" if value else "{}"
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(_value(each, f"{at}[{k}]") for k, each in enumerate(value)) + "]"
    return _value(_plain(value, at), at)


def _plain(value: Any, at: str) -> Any:
    for name in ["tolist", "item"]:
        method = getattr(value, name, None)
        plain = method() if callable(method) else value
        if type(plain) is not type(value):
            return plain
    kind = type(value).__name__
    raise TypeError(f"{at}: expected a number, a text, true or false, a list or a mapping, not a value of type {kind}")


def _whole(value: int, at: str) -> str:
    if not -(2**63) <= value < 2**63:
        raise ValueError(f"{at}: {value} is too large a number")
    return str(value)


def _float(value: float, at: str) -> str:
    if not math.isfinite(value):
        raise ValueError(f"{at}: {value} is not a finite number")
    return repr(value)


def _string(value: str, at: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{at}: {value!r} is no text") from error
    # TOML has the escapes of JSON, and wants one more character escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
