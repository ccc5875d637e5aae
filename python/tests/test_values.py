"""Tests of what may stand in a mapping, and of what is said if it may not."""

import datetime
import math
import re
import sys
import tempfile
import unittest
from pathlib import Path

import numpy
import pandas

import driftlock
from test_lab import SMALL

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib = None


class Values(unittest.TestCase):
    def test_values_of_others_are_those_of_python(self):
        plain = {
            "scenario": {"network": {"nodes": 10, "file": "a/b"}, "measure": {"entries": 200, "until": 0.5}},
            "grid": {
                "requests.rate": [0.01, 0.1],
                "protocol": ["rl", "rr"],
                "network.nodes": [5, 6, 7],
                "tokens": {"from": 1, "to": 3, "steps": 3},
            },
            "points": [{"motion.together": True}, {"requests.nodes": [[0, 1], [2]]}],
        }
        frame = pandas.DataFrame({"rate": [0.01, 0.1], "protocol": ["rl", "rr"]})
        others = {
            "scenario": {
                "network": {"nodes": numpy.int64(10), "file": Path("a/b")},
                "measure": {"entries": frame.shape[0] * numpy.uint8(100), "until": numpy.float32(0.5)},
            },
            "grid": {
                "requests.rate": frame["rate"],
                "protocol": tuple(frame["protocol"]),
                "network.nodes": range(5, 8),
                "tokens": {"from": numpy.array(1), "to": 3, "steps": 3},
            },
            "points": (
                {"motion.together": numpy.bool_(True)},
                {"requests.nodes": [numpy.arange(2), pandas.Index([2])]},
            ),
        }
        self.assertEqual(driftlock.to_toml(others), driftlock.to_toml(plain))
        if tomllib is not None:
            self.assertEqual(tomllib.loads(driftlock.to_toml(others)), plain)

    def test_a_run_takes_them(self):
        world = {"network": {"nodes": numpy.int32(10), "connectivity": numpy.float64(40)}, "measure": {"entries": 200}}
        run = driftlock.run(world, protocol=numpy.str_("rl"), seed=pandas.Series([7]).iloc[0])
        self.assertEqual(run, driftlock.run(SMALL, protocol="rl", seed=7))

    def test_any_text_is_what_it_was(self):
        for text in ["", 'a"b\\c', "a\nb\t\x7f\x00", "é 漢 \U0001f600", "rl # no comment"]:
            toml = driftlock.to_toml({"protocol": text, text: {text: [text]}})
            if tomllib is not None:
                self.assertEqual(tomllib.loads(toml), {"protocol": text, text: {text: [text]}})
            with self.assertRaisesRegex(ValueError, "there is no key"):
                driftlock.run({"protocol": "rl", "a" + text: 3})

    def test_any_number_is_what_it_was(self):
        numbers = [0.1, -0.0, 1e22, 5e-324, 1.7976931348623157e308, 2**63 - 1, -(2**63), 1 / 3]
        if tomllib is not None:
            self.assertEqual(tomllib.loads(driftlock.to_toml({"a": numbers})), {"a": numbers})

    def test_what_no_file_could_have_is_named(self):
        for world, kind, told in [
            ({"network": {"nodes": None}}, ValueError, "network.nodes: None is no value"),
            ({"requests": {"rate": math.nan}}, ValueError, "requests.rate: nan is not a finite number"),
            ({"requests": {"nodes": pandas.Series([1, None])}}, ValueError, "requests.nodes[1]: nan is not"),
            ({"delay": numpy.inf}, ValueError, "delay: inf is not a finite number"),
            ({"seed": 2**63}, ValueError, "seed: 9223372036854775808 is too large"),
            ({"protocol": "\ud800"}, ValueError, "protocol: '\\ud800' is no text"),
            ({"script": [{"at": 1}, {"at": {3}}]}, TypeError, "script[1].at: expected a number, "),
            ({"protocol": datetime.date(2001, 1, 1)}, TypeError, "not a value of type date"),
            ({"seed": pandas.NA}, TypeError, "seed: expected a number"),
            ({"seed": numpy.longdouble(1)}, TypeError, "not a value of type longdouble"),
            ({"network": {3: 4}}, TypeError, "network: a key is a text, not 3"),
        ]:
            for take in [driftlock.run, driftlock.to_toml]:
                with self.assertRaisesRegex(kind, re.escape(told)):
                    take(world)
        with self.assertRaisesRegex(ValueError, re.escape("grid.protocol[1]: None")):
            driftlock.sweep({"grid": {"protocol": ["rl", None]}})


class Faults(unittest.TestCase):
    """Nobody has written a line of what a mapping becomes."""

    def check(self, take, told, *parts):
        with self.assertRaises(ValueError) as error:
            take(told)
        said = str(error.exception)
        self.assertTrue(said.startswith(parts[0]), said)
        for part in parts:
            self.assertIn(part, said)
        self.assertIsNone(re.search(r"line \d|column|sweep\.toml|usize|struct", said), said)

    def test_of_a_scenario(self):
        for world, *parts in [
            ({"protocl": "rl"}, "there is no key `protocl`, did you mean `protocol`?", "link-changes"),
            ({"network": {"nodez": 3}}, "network: there is no key `nodez`, did you mean `nodes`?"),
            ({"network": {"nodes": "x"}}, 'network.nodes: invalid type: string "x"', "a whole number from 0 on"),
            ({"network": {"shape": "rign"}}, "network.shape: there is no value `rign`", "`ring`?"),
            ({"network": 3}, "network: ", "expected a table"),
            ({"delay": "gauss:1"}, "delay: ", "uniform:FROM..TO"),
            ({"script": [{"at": 1}, {"upp": [0, 1]}]}, "script[1]: there is no key `upp`, did you mean `up`?"),
            ({"protocol": "rll"}, "protocol: there is no protocol `rll`, did you mean `rl`?"),
            ({}, "protocol: which protocol?"),
        ]:
            self.check(driftlock.run, world, *parts)

    def test_of_a_sweep(self):
        for study, *parts in [
            ({"gird": {"protocol": ["rl"]}}, "`gird` is no part of a sweep"),
            ({"scenario": {"protocl": "rl"}}, "scenario: there is no key `protocl`, did you mean `protocol`?"),
            ({"scenario": {"network": {"nodes": "x"}}}, "scenario.network.nodes: invalid type"),
            ({"grid": {"network.nodez": [3]}}, "network.nodez: there is no key `nodez`, did you mean `nodes`?"),
            ({"grid": {"requests.rate": [0.1, "x"]}}, "requests.rate: invalid type", "a number"),
            ({"grid": {"requests.rate": {"from": 1, "to": 2}}}, "requests.rate: the key `steps` is missing"),
            ({"points": [{"protocol": "rl"}, {"tokens": "x"}]}, "points[1]: tokens: invalid type"),
            ({"repetitions": {"cuont": 1}}, "repetitions: there is no key `cuont`, did you mean `count`?"),
            ({"repetitions": {"until": {"metric": "time"}}}, "repetitions.until: the key `half-width` is missing"),
        ]:
            self.check(driftlock.sweep, study, *parts)

    def test_of_files_tell_the_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "small.toml")
            path.write_text("protocl = 'rl'\n")
            with self.assertRaisesRegex(ValueError, "small.toml, line 1: there is no key `protocl`, did you mean"):
                driftlock.run(path)
            path.write_text("[grid]\nprotocol = 'rl'\n")
            with self.assertRaisesRegex(ValueError, "small.toml, line 2: protocol: expected a list"):
                driftlock.sweep(path)


if __name__ == "__main__":
    unittest.main()
