"""Tests of sweeps that are kept in a folder, and go on from there."""

import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import driftlock
from test_lab import ROOT, STUDY

MAGIC = b"driftlock cells\n"
FILES = ["results.csv", "results.parquet", "sweep.json"]


def cells(folder, log="cells.log"):
    """The finished cells in a log, as far as they are whole: a record to each."""
    path = Path(folder, log)
    rest = path.read_bytes()[len(MAGIC) :] if path.exists() else b""
    found = []
    while len(rest) >= 8:
        length = 8 + struct.unpack("<I", rest[:4])[0]
        if len(rest) < length:
            break
        found.append(rest[:length])
        rest = rest[length:]
    return found


class Kept(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = Path(folder.name)

    def begin(self, study, out):
        code = "import json, sys, driftlock; driftlock.sweep(json.loads(sys.argv[1]), out=sys.argv[2], threads=1)"
        command = [sys.executable, "-c", code, json.dumps(study), str(out)]
        child = subprocess.Popen(command, stderr=subprocess.PIPE)
        self.addCleanup(child.stderr.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child

    def wait(self, child, come):
        """Wait for what comes soon, if it comes at all."""
        end = time.monotonic() + 300
        while not come():
            self.assertIsNone(child.poll(), "it has ended")
            self.assertLess(time.monotonic(), end, "it takes too long")
            time.sleep(0.01)

    def files(self, folder):
        return [Path(folder, name).read_bytes() for name in FILES]

    def test_an_interrupted_sweep_goes_on(self):
        # The last cells never end, so it is interrupted for certain, with four finished.
        begun = {
            **STUDY,
            "grid": {"measure.entries": [200, 10**12], "protocol": ["rl", "rr"], "requests.rate": [0.1, 1]},
        }
        for number in [signal.SIGINT, signal.SIGKILL]:
            with self.subTest(number):
                out = self.place / number.name
                child = self.begin(begun, out)
                self.wait(child, lambda: len(cells(out)) == 4)
                child.send_signal(number)
                said = child.stderr.read().decode()
                self.assertNotEqual(child.wait(), 0)
                self.assertEqual("KeyboardInterrupt" in said, number == signal.SIGINT, said)
                finished = cells(out)
                self.assertEqual(len(finished), 4)
                self.assertFalse(Path(out, "results.csv").exists())

                table = driftlock.sweep(STUDY, out=out)
                self.assertTrue(table.equals(driftlock.sweep(STUDY), check_metadata=True))
                # Six cells, and each was run once.
                self.assertEqual(cells(out)[:4], finished)
                self.assertEqual(len(cells(out)), 6)
                self.assertTrue(driftlock.sweep(STUDY, out=str(out)).equals(table))
                self.assertEqual(len(cells(out)), 6)

    def test_a_sweep_that_gives_up_may_be_caught(self):
        endless = {"scenario": {"protocol": "rl", "measure": {"entries": 10**12}}}
        timer = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            driftlock.sweep(endless, out=self.place)
        timer.join()
        # Nobody is at work in the folder any more.
        driftlock.sweep(STUDY, out=self.place)

    def test_two_at_once_are_refused(self):
        endless = {"scenario": {"protocol": "rl", "measure": {"entries": 10**12}}}
        child = self.begin(endless, self.place)
        self.wait(child, Path(self.place, "cells.log").exists)
        with self.assertRaisesRegex(ValueError, "another sweep is at work here"):
            driftlock.sweep(STUDY, out=self.place)

    def test_what_is_no_log_is_left_alone(self):
        log = self.place / "cells.log"
        log.write_text("my cells, by hand\n")
        with self.assertRaisesRegex(ValueError, "cells.log: this is no log of cells: move it away"):
            driftlock.sweep(STUDY, out=self.place)
        self.assertEqual(log.read_text(), "my cells, by hand\n")

    def test_parts_share_a_folder(self):
        part = driftlock.sweep(STUDY, shard=(2, 2), out=self.place)
        self.assertTrue(part.equals(driftlock.sweep(STUDY, shard=(2, 2)), check_metadata=True))
        self.assertEqual(len(cells(self.place, "cells-2-of-2.log")), 3)
        self.assertFalse(Path(self.place, "results.csv").exists())
        whole = driftlock.sweep(STUDY, out=self.place)
        self.assertTrue(whole.equals(driftlock.sweep(STUDY), check_metadata=True))
        self.assertEqual(len(cells(self.place)), 3)

    def test_the_command_line_goes_on_with_it_and_the_other_way_round(self):
        file = self.place / "sweep.toml"
        file.write_text(driftlock.to_toml(STUDY))
        whole = self.place / "whole"
        table = driftlock.sweep(STUDY, out=whole)
        fewer = {**STUDY, "grid": {**STUDY["grid"], "requests.rate": [0.1]}}
        begun = self.place / "begun"
        driftlock.sweep(fewer, out=begun)
        command = ["cargo", "run", "--release", "--quiet", "--", "sweep", str(file), "--out", str(begun)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("6 cells of 3 repetitions, 2 of them finished before", done.stdout)
        self.assertEqual(self.files(begun), self.files(whole))
        # And back.
        kept = cells(begun)
        for study in [STUDY, file]:
            self.assertTrue(driftlock.sweep(study, out=begun).equals(table, check_metadata=True))
        self.assertEqual(cells(begun), kept)


if __name__ == "__main__":
    unittest.main()
