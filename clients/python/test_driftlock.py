"""Tests of the Python client against the node at DRIFTLOCK_TEST_SOCKET.

The fake node of the Rust client serves (`cargo test -p driftlock-client` starts one and runs this
with DRIFTLOCK_TEST_FAKE set), and so does a real node, for all but what only a fake one does.
"""

import os
import socket
import struct
import tempfile
import threading
import unittest

import driftlock

SOCKET = os.environ.get("DRIFTLOCK_TEST_SOCKET")
FAKE = os.environ.get("DRIFTLOCK_TEST_FAKE")
LONG = 60


class Case(unittest.TestCase):
    def setUp(self):
        if not SOCKET:
            self.skipTest("DRIFTLOCK_TEST_SOCKET names no node")
        self.client = driftlock.Client(SOCKET)
        self.addCleanup(self.client.close)
        # Tests must not be in each other's way.
        self.name = self.id().rsplit(".", 1)[-1][:60]

    def other(self):
        client = driftlock.Client(SOCKET)
        self.addCleanup(client.close)
        return client

    def wait_for_waiters(self, name, count):
        while self.client.queue(name)["waiters"] != count:
            pass


class Locks(Case):
    def test_with_releases(self):
        with self.client.lock(self.name, wait=5) as grant:
            self.assertFalse(grant.lost.is_set())
            with self.assertRaises(driftlock.Busy) as refused:
                self.other().lock(self.name, wait=0)
            self.assertEqual(refused.exception.code, "busy")
            self.assertIs(refused.exception.changed, False)
        with self.other().lock(self.name, wait=5) as later:
            self.assertGreater(later.fence, grant.fence)

    def test_with_releases_after_an_error(self):
        with self.assertRaises(ZeroDivisionError):
            with self.client.lock(self.name):
                1 / 0
        self.other().lock(self.name, wait=5).release()

    def test_release_twice_is_once(self):
        grant = self.client.lock(self.name)
        grant.release()
        grant.release()
        self.other().lock(self.name, wait=5).release()

    def test_timeout(self):
        with self.client.lock(self.name):
            with self.assertRaises(driftlock.Timeout):
                self.other().lock(self.name, wait=0.01)
            self.wait_for_waiters(self.name, 0)

    def test_permits(self):
        both = [self.client.lock(self.name, wait=5, permits=2) for _ in range(2)]
        with self.assertRaises(driftlock.Busy):
            self.client.lock(self.name, permits=2, wait=0)
        for grant in both:
            grant.release()

    def test_group(self):
        with self.client.lock(self.name, group="north"):
            with self.client.lock(self.name, group="north", wait=5):
                with self.assertRaises(driftlock.Timeout):
                    self.client.lock(self.name, group="south", wait=0.01)

    def test_local(self):
        with self.client.lock(self.name, local=True) as grant:
            self.assertGreater(grant.grant, 0)

    def test_kinds_do_not_mix(self):
        with self.client.lock(self.name):
            with self.assertRaises(driftlock.KindMismatch):
                self.client.lock(self.name, permits=3)
        with self.assertRaises(ValueError):
            self.client.lock(self.name, permits=3, local=True)

    def test_what_cannot_be(self):
        for name, more in [("", {}), ("n" * 65, {}), ("n" * 70000, {}), ("a", {"permits": 0})]:
            with self.assertRaises(driftlock.BadRequest):
                self.client.lock(name, **more)
        self.client.status()

    def test_not_held(self):
        grant = self.client.lock(self.name)
        with self.assertRaises(driftlock.NotHeld):
            self.other()._release(grant.grant)
        grant.release()

    def test_close_releases(self):
        other = self.other()
        grant = other.lock(self.name)
        other.close()
        self.assertTrue(grant.lost.wait(LONG))
        self.assertEqual(grant.reason, "disconnected")
        with self.assertRaises(driftlock.Disconnected):
            other.status()
        with self.client.lock(self.name, wait=LONG):
            pass


class Leases(Case):
    def test_the_end_is_told_and_the_holder_keeps_the_lock(self):
        with self.client.lock(self.name, lease=0.05, grace=0.02) as grant:
            self.assertTrue(grant.lost.wait(LONG))
            self.assertEqual(grant.reason, "lease")
            self.assertIn("lease", grant.message)
            with self.assertRaises(driftlock.Busy):
                self.other().lock(self.name, wait=0)
        self.other().lock(self.name, wait=LONG).release()

    def test_the_end_is_told_while_another_lock_is_waited_for(self):
        wanted = self.name + "2"
        with self.other().lock(wanted), self.client.lock(self.name, lease=0.05) as grant:
            waiting = threading.Thread(target=lambda: self.client.lock(wanted, wait=LONG).release())
            waiting.start()
            self.wait_for_waiters(wanted, 1)
            self.assertTrue(grant.lost.wait(LONG))
            self.assertEqual(self.client.queue(wanted)["waiters"], 1)
        waiting.join(LONG)
        self.assertFalse(waiting.is_alive())

    def test_a_lease_is_shown(self):
        with self.client.lock(self.name, lease=3600):
            [lock] = [lock for lock in self.client.locks() if lock["name"] == self.name]
            [holder] = lock["holders"]
            self.assertEqual(holder["until_ms"], holder["since_ms"] + 3600000)

    def test_what_cannot_be(self):
        for lease, grace in [(0, None), (-1, None), (604800.001, None), (2, 2)]:
            with self.assertRaises(driftlock.BadRequest):
                self.client.lock(self.name, lease=lease, grace=grace)
        with self.assertRaises(ValueError):
            self.client.lock(self.name, grace=1)


class Threads(Case):
    def test_threads_share_a_client(self):
        inside, most, failures = [0], [0], []

        def work():
            try:
                for _ in range(20):
                    with self.client.lock(self.name):
                        inside[0] += 1
                        most[0] = max(most[0], inside[0])
                        inside[0] -= 1
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=work) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((failures, most), ([], [1]))

    def test_interrupted_wait_is_withdrawn(self):
        client = self.other()
        with self.client.lock(self.name):
            client._wait = self.interrupted_by(KeyboardInterrupt)
            with self.assertRaises(KeyboardInterrupt):
                client.lock(self.name)
            self.wait_for_waiters(self.name, 0)
        self.client.lock(self.name, wait=LONG).release()

    def test_interrupted_grant_is_given_back(self):
        client = self.other()

        def granted_and_interrupted(waiter):
            waiter.done.wait()
            raise KeyboardInterrupt

        client._wait = granted_and_interrupted
        with self.assertRaises(KeyboardInterrupt):
            client.lock(self.name)
        self.client.lock(self.name, wait=LONG).release()

    @staticmethod
    def interrupted_by(error):
        def wait(waiter):
            raise error

        return wait


class Looking(Case):
    def test_views(self):
        self.assertEqual(self.client.node["api"], 1)
        self.assertEqual(self.client.status()["node"], self.client.node["node"])
        self.assertIsInstance(self.client.neighbors(), list)
        self.assertIn("driftlock", self.client.metrics())

    def test_locks_and_queue(self):
        names = [self.name + str(k) for k in range(8)]
        grants = [self.client.lock(name) for name in names]
        listed = [lock["name"] for lock in self.client.locks() if lock["name"] in names]
        self.assertEqual(listed, names)
        self.assertEqual(self.client.queue(names[0])["waiters"], 0)
        for grant in grants:
            grant.release()

    def test_moving(self):
        for on in (True, False):
            self.client.set_moving(on)
            self.assertIs(self.client.status()["moving"], on)


@unittest.skipUnless(FAKE, "only a fake node does this when it is told to")
class Misbehaving(Case):
    def test_lost(self):
        with self.client.lock("fake-lost", local=True) as grant:
            self.assertTrue(grant.lost.wait(LONG))
            self.assertEqual(grant.reason, "demoted")

    def test_hang_up(self):
        grant = self.client.lock(self.name)
        with self.assertRaises(driftlock.Disconnected):
            self.client.lock("fake-hang-up")
        self.assertTrue(grant.lost.wait(LONG))
        with self.assertRaises(driftlock.Disconnected) as over:
            grant.release()
        self.assertIs(over.exception.changed, True)
        with self.assertRaises(driftlock.Disconnected) as over:
            self.client.set_moving(True)


class Nobody(unittest.TestCase):
    """What is no node."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "a.sock")

    def serve(self, opening):
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(self.path)
        listener.listen(1)

        def answer():
            connection, _ = listener.accept()
            connection.sendall(opening)
            connection.close()

        thread = threading.Thread(target=answer)
        thread.start()
        self.addCleanup(thread.join)

    def frame(self, text):
        return struct.pack(">I", len(text)) + text

    def test_nothing_there(self):
        with self.assertRaises(driftlock.Unreachable) as error:
            driftlock.Client(self.path)
        self.assertIn(self.path, str(error.exception))

    def test_hangs_up(self):
        self.serve(b"")
        self.assertRaises(driftlock.Unreachable, driftlock.Client, self.path)

    def test_garbled(self):
        self.serve(b"HTTP/1.1 400 Bad Request")
        self.assertRaises(driftlock.Unreachable, driftlock.Client, self.path)

    def test_no_object(self):
        self.serve(self.frame(b"[]"))
        self.assertRaises(driftlock.Unreachable, driftlock.Client, self.path)

    def test_other_version(self):
        self.serve(self.frame(b'{"driftlock": {"api": 2}}'))
        self.assertRaises(driftlock.Unreachable, driftlock.Client, self.path)

    def test_denied(self):
        self.serve(self.frame(b'{"error": {"code": "denied", "message": "user 7 may not"}}'))
        with self.assertRaises(driftlock.Denied) as error:
            driftlock.Client(self.path)
        self.assertEqual(str(error.exception), "user 7 may not")

    def test_garbled_later(self):
        hello = self.frame(b'{"driftlock": {"api": 1, "node": 3}}')
        self.serve(hello + self.frame(b"nope"))
        client = driftlock.Client(self.path)
        with self.assertRaises(driftlock.Disconnected):
            client.status()


class Path(unittest.TestCase):
    def test_order(self):
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        os.environ.pop("DRIFTLOCK_SOCKET", None)
        os.environ.pop("XDG_RUNTIME_DIR", None)
        self.assertEqual(driftlock.socket_path(), "/run/driftlock/driftlock.sock")
        os.environ["XDG_RUNTIME_DIR"] = "/nowhere"
        self.assertEqual(driftlock.socket_path(), "/nowhere/driftlock.sock")
        os.environ["DRIFTLOCK_SOCKET"] = "here.sock"
        self.assertEqual(driftlock.socket_path(), "here.sock")


if __name__ == "__main__":
    unittest.main()
