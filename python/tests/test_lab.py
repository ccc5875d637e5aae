"""Tests of the package, as it is installed: python -m unittest discover -s python/tests."""

import ast
import importlib.metadata
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from pathlib import Path

import driftlock

ROOT = Path(__file__).resolve().parents[2]
SMALL = {"network": {"nodes": 10, "connectivity": 40}, "measure": {"entries": 200}}
STUDY = {
    "scenario": SMALL,
    "grid": {"protocol": ["rl", "rr"], "requests.rate": [0.01, 0.1, 1]},
    "repetitions": {"count": 3, "seed": 5},
}


class Runs(unittest.TestCase):
    def test_protocols_are_told(self):
        told = {entry["name"]: entry for entry in driftlock.protocols()}
        self.assertIn("one at a time", told["rl"]["promise"])
        self.assertEqual(told["rl"]["variants"], ["repaired", "published"])

    def test_a_run_is_the_same_again(self):
        run = driftlock.run(SMALL, protocol="rl", seed=7)
        self.assertEqual(run, driftlock.run(run["scenario"]))
        self.assertIsNone(run["violation"])
        self.assertEqual(run["metrics"]["entries"], 200)
        self.assertGreater(run["metrics"]["bytes_per_entry"], 0)
        other = driftlock.run(SMALL, protocol="rl", seed=8)
        self.assertNotEqual(run["metrics"], other["metrics"])

    def test_a_file_says_the_same(self):
        text = 'protocol = "rl"\nnetwork = { nodes = 10, connectivity = 40 }\n[measure]\nentries = 200\n'
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "small.toml")
            path.write_text(text)
            for told in [path, str(path)]:
                self.assertEqual(driftlock.run(told), driftlock.run(SMALL, protocol="rl"))
            with self.assertRaises(TypeError):
                driftlock.run(path, seed=2)

    def test_a_broken_promise_is_told(self):
        world = {"network": {"nodes": 5, "connectivity": 50}, "link-changes": {"model": "toggle", "rate": 0.2}}
        run = driftlock.run(world, protocol="rl", variant="published")
        self.assertIn("every step is defined", run["violation"])

    def test_a_trace_that_is_held_together_is_warned_of(self):
        trace = {"file": ROOT / "crates/traces/tests/samples/rwp30.movements.gz", "range": 250}
        world = {"trace": trace, "requests": {"rate": 0.05}, "measure": {"until": 50}}
        why = "rl needs a network in one piece, .* is in parts for 38.45 % of its time"
        with self.assertWarnsRegex(UserWarning, why) as warned:
            run = driftlock.run(world, protocol="rl")
        self.assertEqual(warned.filename, __file__)
        self.assertEqual(run["warnings"], [str(warned.warning)])
        with self.assertWarnsRegex(UserWarning, why) as warned:
            table = driftlock.sweep({"scenario": world, "grid": {"protocol": ["rl"]}})
        self.assertEqual(warned.filename, __file__)
        told = json.loads(table.schema.metadata[b"driftlock"])
        self.assertEqual(told["warnings"], [str(warned.warning)])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(driftlock.run(world, protocol="krl")["warnings"], [])
            driftlock.sweep({"scenario": world, "grid": {"protocol": ["krl"]}})

    def test_what_a_part_has_not_counted_was_counted_0_times(self):
        study = {
            "scenario": {
                "network": {"nodes": 10, "connectivity": 40},
                "link-changes": {"model": "toggle"},
                "measure": {"warmup": 0, "entries": 60},
            },
            "grid": {"protocol": ["rl"], "requests.rate": [1, 0.1], "link-changes.rate": [0, 0.05]},
            "repetitions": {"count": 2},
        }
        whole = driftlock.sweep(study)
        self.assertIn(0, whole["notes_raise_height"].to_pylist())
        joined = driftlock.join([driftlock.sweep(study, shard=(k + 1, 4)) for k in range(4)])
        self.assertTrue(joined.equals(whole))

    def test_parts_that_do_not_make_a_whole_are_refused(self):
        first, second = [driftlock.sweep(STUDY, shard=(k, 2)) for k in [1, 2]]
        for parts, why in [([first], "missing"), ([first, second, first], "twice"), ([], "there are none")]:
            with self.assertRaisesRegex(ValueError, why):
                driftlock.join(parts)
        other = driftlock.sweep({**STUDY, "repetitions": {"count": 1}}, shard=(2, 2))
        with self.assertRaisesRegex(ValueError, "of several"):
            driftlock.join([first, other])

    def test_what_could_not_be_run_is_told(self):
        study = {"scenario": SMALL, "grid": {"protocol": ["rl"], "tokens": [1, 3]}, "repetitions": {"count": 1}}
        with self.assertWarnsRegex(RuntimeWarning, r"1 of 2 cells have .* \(cell 2 refused: tokens: rl has one") as warned:
            table = driftlock.sweep(study)
        self.assertEqual(Path(warned.filename).name, "test_lab.py")
        told = json.loads(table.schema.metadata[b"driftlock"])
        self.assertEqual([(failure["cell"], failure["kind"]) for failure in told["failures"]], [(2, "refused")])

    def test_what_is_wrong_is_told(self):
        for world, part in [
            ({"protocol": "rk"}, "there is no protocol `rk`"),
            ({"protocl": "rl"}, "protocl"),
            ({"protocol": "rl", "tokens": 3}, "tokens: rl has one token"),
            ({"protocol": "rl", "network": {"nodes": 0}}, "network.nodes"),
        ]:
            with self.assertRaisesRegex(ValueError, re.escape(part)):
                driftlock.run(world)
        with self.assertRaisesRegex(ValueError, "nowhere.toml"):
            driftlock.run("nowhere.toml")


class Sweeps(unittest.TestCase):
    def test_a_row_is_a_run(self):
        table = driftlock.sweep(STUDY)
        self.assertEqual(table.num_rows, 18)
        row = table.to_pylist()[4]
        one = driftlock.run(SMALL, protocol="rl", requests={"rate": row["requests_rate"]}, seed=row["seed"])
        self.assertEqual(row["protocol"], "rl")
        self.assertEqual(row["waiting_mean"], one["metrics"]["waiting"]["mean"])
        units = {column["name"]: column["unit"] for column in json.loads(table.schema.metadata[b"driftlock"])["columns"]}
        self.assertEqual(units["waiting_mean"], "time units")

    def test_parts_make_the_whole(self):
        whole = driftlock.sweep(STUDY, threads=1)
        for n in [1, 2, 4, 6]:
            parts = [driftlock.sweep(STUDY, shard=(n - k, n)) for k in range(n)]
            joined = driftlock.join(parts)
            self.assertTrue(joined.equals(whole))
            told = [json.loads(table.schema.metadata[b"driftlock"]) for table in [joined, whole]]
            self.assertEqual(told[0], told[1])

    def test_what_is_wrong_is_told(self):
        with self.assertRaisesRegex(ValueError, "there is no protocol `rk`"):
            driftlock.sweep({"grid": {"protocol": ["rk"]}})
        for shard in [(5, 4), (0, 2), (-1, 2), (1, 2, 3), (1,), (1, 2**32), ()]:
            with self.assertRaisesRegex(ValueError, re.escape(f"i from 1 to n, found {shard}")):
                driftlock.sweep(STUDY, shard=shard)
        for threads in [0, -1]:
            with self.assertRaisesRegex(ValueError, f"threads: expected at least 1, found {threads}"):
                driftlock.sweep(STUDY, threads=threads)

    def test_a_script_ends_as_it_should(self):
        # What reads the table leaves nothing behind that aborts the process now and then.
        code = "import sys, driftlock; driftlock.sweep(sys.argv[1], threads=1)"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "sweep.toml")
            path.write_text(driftlock.to_toml({"scenario": {"protocol": "rl", **SMALL}}))
            command = [sys.executable, "-c", code, path]
            # All at once: the busier the machine, the more of them it would be.
            children = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(20)]
            ended = [(child.communicate()[1], child.returncode) for child in children]
        self.assertEqual(ended, [(b"", 0)] * 20)

    def test_pandas_takes_it(self):
        frame = driftlock.sweep(STUDY).to_pandas()
        self.assertEqual(list(frame.groupby("protocol").size()), [9, 9])


class Interrupts(unittest.TestCase):
    def test_ctrl_c_ends_a_run_and_a_sweep(self):
        endless = {"protocol": "rl", "measure": {"entries": 10**9}}
        for begin in [
            lambda: driftlock.run(endless),
            lambda: driftlock.sweep({"scenario": endless, "grid": {"requests.rate": [1, 2]}}),
        ]:
            timer = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                begin()
            timer.join()


class Documents(unittest.TestCase):
    def test_the_notebook_regenerates_table_1(self):
        notebook = json.loads((ROOT / "python/notebooks/table1.ipynb").read_text())
        cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
        values = {}
        for cell in cells:
            exec(compile(cell, "table1.ipynb", "exec"), values)
        ours = values["estimates"]
        lines = (ROOT / "docs/results/table1.md").read_text().splitlines()
        checked = 0
        for line in [line for line in lines if re.match(r"\| R[RL] ", line)]:
            name, *printed = [part.strip() for part in line.strip("|").split("|")]
            for k, text in enumerate(printed):
                mean, half = re.match(r"([\d.]+) ± ([\d.]+)", text).groups()
                for value, digits in zip(ours.loc[name].iloc[k], [mean, half]):
                    decimals = len(digits.partition(".")[2])
                    self.assertAlmostEqual(value, float(digits), delta=0.5000001 * 10**-decimals)
                    checked += 1
        self.assertEqual(checked, 4 * 6 * 2)

    def test_the_readme_runs(self):
        text = (ROOT / "python/README.md").read_text()
        [code] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        exec(compile(code, "README.md", "exec"), {})

    def no_ray(self):
        give_up = self.fail if "DRIFTLOCK_NO_SKIP" in os.environ else self.skipTest
        give_up("there is no ray here: pip install './python[ray]'")

    def test_a_sweep_on_ray_is_the_same(self):
        if importlib.util.find_spec("ray") is None:
            return self.no_ray()
        import ray

        sys.path.insert(0, str(ROOT / "python/examples"))
        import on_ray

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        try:
            self.assertTrue(on_ray.sweep(on_ray.STUDY, parts=5).equals(driftlock.sweep(on_ray.STUDY)))
        finally:
            ray.shutdown()

    def test_the_sweep_on_ray_runs_as_it_is_with_what_its_extra_brings(self):
        if importlib.util.find_spec("ray") is None:
            return self.no_ray()
        command = [sys.executable, ROOT / "python/examples/on_ray.py"]
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "pandas.py").write_text("raise ImportError('that is of another extra')\n")
            world = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
            world["PYTHONPATH"] = folder
            done = subprocess.run(command, capture_output=True, text=True, env=world)
        self.assertEqual(done.returncode, 0, done.stderr)
        names, *rows = [line.split("\t") for line in done.stdout.splitlines()]
        self.assertEqual(names[-1], "waiting_mean_mean")
        self.assertEqual(len(rows), 2 * 3 * 3)

    def test_types_are_there_and_whole(self):
        folder = Path(driftlock.__file__).parent
        self.assertTrue((folder / "py.typed").exists())
        self.assertTrue((folder / "_native.pyi").exists())
        with tempfile.TemporaryDirectory() as cache:
            command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, ROOT / "python/package/driftlock"]
            done = subprocess.run(command, capture_output=True, text=True)
        missing = "pip install './python[test]' installs what checks types\n"
        self.assertEqual(done.returncode, 0, missing + done.stdout + done.stderr)

    def test_nobody_is_told_to_install_the_package_of_others(self):
        self.assertEqual(importlib.metadata.version("driftlock-lab"), driftlock.__version__)
        files = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("python/**/*.[mp][dy]")]
        self.assertGreater(len(files), 10)
        for file in files:
            self.assertNotRegex(file.read_text(), r"pip install '?driftlock", str(file))

    def test_the_client_needs_nothing_but_itself(self):
        client = Path(driftlock.__file__).parent / "client.py"
        # As Python 3.8 understands it.
        ast.parse(client.read_text(), feature_version=(3, 8))
        done = subprocess.run([sys.executable, "-S", str(client)], capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
