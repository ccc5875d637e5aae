"""Locks for networks that move, for Python programs: the local API of a driftlock node.

    import driftlock

    client = driftlock.Client()
    with client.lock("pad-3", wait=5) as grant:
        land(fence=grant.fence)

One file, nothing but the standard library, Python 3.8 or later. A client is a session and may be
used by any number of threads; when it is closed, or the process dies, everything it holds is
released. The API is described in docs/api.md.
"""

from __future__ import annotations

import json
import math
import os
import socket
import struct
import threading
from types import TracebackType
from typing import Any, Dict, List, Optional, Type, TypedDict, Union, cast

__all__ = [
    "BadRequest", "Busy", "Cancelled", "Client", "Denied", "Disconnected", "Error", "Grant", "Holder", "InDoubt",
    "KindMismatch", "Leaving", "Lock", "LostToken", "Neighbor", "Node", "NotHeld", "Queue", "Refused", "Status",
    "Timeout", "TooMany", "Unreachable", "Waiting", "socket_path",
]

API = 1
LONGEST = 65536

# What a node says, as docs/api.md has it. What is not known or does not apply is left out.


class Node(TypedDict):
    """Who a node is."""

    api: int
    version: str
    node: int
    network: str


class InDoubt(TypedDict):
    """A broken link with a token on it."""

    peer: int
    messages: int
    since_ms: int


class LostToken(TypedDict):
    """A token that went to a node that cannot be asked any more."""

    peer: int
    lock: str


class Status(TypedDict):
    """How a node is."""

    node: int
    network: str
    founder: bool
    moving: bool
    leaving: bool
    uptime_ms: int
    links: int
    locks: int
    in_doubt: List[InDoubt]
    lost: List[LostToken]
    warnings: List[str]


class _NeighborIfKnown(TypedDict, total=False):
    address: str
    role: str
    rtt_us: int


class Neighbor(_NeighborIfKnown):
    """A node that was heard."""

    node: int
    state: str
    epoch: int
    since_ms: int
    queued: int
    unacknowledged: int


class _HolderIfKnown(TypedDict, total=False):
    pid: int
    group: str
    until_ms: int


class Holder(_HolderIfKnown):
    """A program that holds a lock."""

    grant: int
    uid: int
    since_ms: int
    fence: int


class _LockIfKnown(TypedDict, total=False):
    permits: int


class Lock(_LockIfKnown):
    """A lock as one node sees it."""

    name: str
    kind: str
    state: str
    tokens: int
    fence: int
    waiters: int
    held: int
    holders: List[Holder]


class _WaitingIfKnown(TypedDict, total=False):
    pid: int
    group: str


class Waiting(_WaitingIfKnown):
    """A program that waits for a lock."""

    uid: int
    since_ms: int


class Queue(TypedDict):
    """Who waits for a lock at a node."""

    name: str
    kind: str
    waiters: int
    here: List[Waiting]
    neighbors: List[int]


# A request or a frame.
_Fields = Dict[str, Any]


class Error(Exception):
    """Something went wrong.

    `changed` says what has become of what was asked for: False if it was not done and will not be,
    True if it is done all the same, None if nobody here knows.
    """

    changed: Optional[bool] = False


class Unreachable(Error):
    """No node answers there, or what answers is none."""


class Disconnected(Error):
    """The session is over, and with it everything that it held or waited for."""


class Refused(Error):
    """The node refuses. `code` is the API's."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message or code)
        self.code = code


class Timeout(Refused):
    """The lock was not granted in time."""


class Busy(Refused):
    """The lock was not free at once."""


class Cancelled(Refused):
    """The request was withdrawn."""


class KindMismatch(Refused):
    """The name is in use as a lock of another kind."""


class NotHeld(Refused):
    """This session does not hold the grant."""


class Leaving(Refused):
    """The node is leaving the network."""


class BadRequest(Refused, ValueError):
    """A name, a group, a number of permits or a lease that cannot be."""


class TooMany(Refused):
    """The node has as many waiters, locks or sessions as it can take."""


class Denied(Refused):
    """The credentials of this program do not allow it."""


_REFUSALS: Dict[str, Type[Refused]] = {
    "timeout": Timeout,
    "busy": Busy,
    "cancelled": Cancelled,
    "kind": KindMismatch,
    "not-held": NotHeld,
    "leaving": Leaving,
    "bad-request": BadRequest,
    "too-many": TooMany,
    "denied": Denied,
}


def _refusal(error: _Fields) -> Refused:
    code = error.get("code", "")
    return _REFUSALS.get(code, Refused)(code, error.get("message", ""))


def socket_path() -> str:
    """Where the node of this machine has its socket."""
    if os.environ.get("DRIFTLOCK_SOCKET"):
        return os.environ["DRIFTLOCK_SOCKET"]
    paths = ["/run/driftlock/driftlock.sock"]
    if os.environ.get("XDG_RUNTIME_DIR"):
        paths.insert(0, os.path.join(os.environ["XDG_RUNTIME_DIR"], "driftlock.sock"))
    return next((path for path in paths if os.path.exists(path)), paths[0])


class Grant:
    """A lock that is held.

    `fence` grows from each grant of the lock to the next one that conflicts with it: hand it to what
    the lock protects, and let that refuse smaller ones. `lost` is a threading.Event that is set when
    the lock is lost, or the connection to the node; then the work has to stop, and `release` says
    that it has. `reason` and `message` say why: "demoted", "lease", "leaving", "disconnected", or
    what a newer node may come to say.
    """

    def __init__(self, client: Client, name: str, grant: int, fence: int) -> None:
        self.name = name
        self.grant = grant
        self.fence = fence
        self.lost = threading.Event()
        self.reason: Optional[str] = None
        self.message: Optional[str] = None
        self._client = client
        self._released = False

    def release(self) -> None:
        """Release the lock, and wait until the node confirms it. A second time does nothing."""
        if not self._released:
            self._released = True
            self._client._release(self.grant)

    def __enter__(self) -> Grant:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        try:
            self.release()
        except Disconnected:
            # It is released with the session. Whoever has to know looks at `lost`.
            pass

    def __repr__(self) -> str:
        return "<Grant %s of %r, fence %s>" % (self.grant, self.name, self.fence)

    def _lose(self, reason: Optional[str], message: Optional[str]) -> None:
        self.reason, self.message = reason, message
        self.lost.set()


class _Waiter:
    """A request that is not answered yet."""

    def __init__(self, name: Optional[str] = None) -> None:
        self.name = name  # Of the lock, if that is what was asked for.
        self.request: Optional[int] = None
        self.withdrawn = False
        self.done = threading.Event()
        self.ok: Any = None
        self.error: Optional[Error] = None


class Client:
    """A session with a node: with that of this machine, or the one with its socket at `path`."""

    def __init__(self, path: Union[str, os.PathLike[str], None] = None) -> None:
        self.path = os.fspath(path) if path is not None else socket_path()
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._next = 0
        self._waiting: Dict[int, _Waiter] = {}
        self._held: Dict[int, Grant] = {}
        self._over: Optional[str] = None
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(self.path)
            self.node = self._greeting()
        except OSError as error:
            self._socket.close()
            raise Unreachable("no node answers at %s: %s" % (self.path, error)) from error
        except Error:
            self._socket.close()
            raise
        thread = threading.Thread(target=self._keep_reading, name="driftlock", daemon=True)
        thread.start()

    # Locks.

    def lock(
        self,
        name: str,
        wait: Optional[float] = None,
        permits: Optional[int] = None,
        group: Optional[str] = None,
        local: bool = False,
        lease: Optional[float] = None,
        grace: Optional[float] = None,
    ) -> Grant:
        """Acquire a lock. A `Grant`, which is released by `release` or at the end of `with`.

        `wait` is in seconds: None for ever, 0 for not at all. Exclusive, unless there are `permits`
        (so many holders), a `group` (holders of one group together) or it is `local` (exclusive
        among neighbors).

        `lease` is in seconds too: a promise to be done so long after the grant, up to a week. `lost`
        is set when it ends, or `grace` seconds before that. It is still for the holder to release.
        """
        if (permits is not None) + (group is not None) + bool(local) > 1:
            raise ValueError("a lock is of one kind: permits, group or local")
        if grace is not None and lease is None:
            raise ValueError("grace is a part of a lease, and there is none")
        fields: _Fields = {"op": "acquire", "name": name}
        if permits is not None:
            fields.update(kind="permits", permits=permits)
        elif group is not None:
            fields.update(kind="group", group=group)
        elif local:
            fields["kind"] = "local"
        # A part of a millisecond is some time, and 0 would be none. A grace may be none.
        if wait is not None:
            fields["wait_ms"] = max(0, math.ceil(wait * 1000))
        if lease is not None:
            fields["lease_ms"] = max(0, math.ceil(lease * 1000))
        if grace is not None:
            fields["grace_ms"] = max(0, math.floor(grace * 1000))
        waiter = _Waiter(name)
        try:
            self._send(fields, waiter)
            grant: Grant = self._wait(waiter)
            return grant
        except Error:
            raise
        except BaseException:
            # Interrupted: nothing may be left behind.
            self._withdraw(waiter)
            raise

    # Looking.

    def status(self) -> Status:
        """How the node is."""
        status: Status = self._ask({"op": "status"})
        return status

    def neighbors(self) -> List[Neighbor]:
        """Whom the node hears."""
        neighbors: List[Neighbor] = self._ask({"op": "neighbors"})["neighbors"]
        return neighbors

    def locks(self) -> List[Lock]:
        """The locks that the node knows, in the order of their names."""
        found: List[Lock] = []
        request = {"op": "locks"}
        while True:
            page = self._ask(request)
            found += page["locks"]
            if not page.get("more") or not page["locks"]:
                return found
            request = {"op": "locks", "after": found[-1]["name"]}

    def queue(self, name: str) -> Queue:
        """Who waits for a lock at the node."""
        queue: Queue = self._ask({"op": "queue", "name": name})
        return queue

    def metrics(self) -> str:
        """What the node has counted, in the text format of Prometheus."""
        text: str = self._ask({"op": "metrics"})["text"]
        return text

    # The node itself.

    def set_moving(self, on: bool) -> None:
        """Tell the node whether it moves."""
        self._change({"op": "moving", "on": bool(on)})

    def leave(self) -> None:
        """Have the node leave the network. It hands on what it holds, answers, and ends."""
        self._change({"op": "leave"})

    def close(self) -> None:
        """End the session, and release everything."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._end("the session was closed")

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    # The session.

    def _ask(self, fields: _Fields) -> Any:
        waiter = _Waiter()
        self._send(fields, waiter)
        return self._wait(waiter)

    def _change(self, fields: _Fields) -> None:
        try:
            self._ask(fields)
        except Disconnected as error:
            error.changed = None
            raise

    def _release(self, grant: int) -> None:
        with self._lock:
            self._held.pop(grant, None)
        try:
            self._ask({"op": "release", "grant": grant})
        except Disconnected as error:
            error.changed = True
            raise

    def _withdraw(self, waiter: _Waiter) -> None:
        """Take a request back. If it is granted all the same, the grant is given back."""
        with self._lock:
            waiter.withdrawn = True
            grant = waiter.ok
        if grant is not None:
            self._give_back(grant.grant)
        elif waiter.request is not None:
            self._tell({"op": "cancel", "request": waiter.request})

    def _give_back(self, grant: int) -> None:
        with self._lock:
            self._held.pop(grant, None)
        self._tell({"op": "release", "grant": grant})

    def _tell(self, fields: _Fields) -> None:
        """Send a request whose answer does not matter."""
        try:
            self._send(fields, None)
        except Disconnected:
            pass

    def _send(self, fields: _Fields, waiter: Optional[_Waiter]) -> None:
        with self._lock:
            if self._over is not None:
                raise Disconnected(self._over)
            request = self._next
            body = json.dumps(dict(fields, id=request)).encode()
            if len(body) > LONGEST:
                raise BadRequest("bad-request", "a frame of %d bytes is too long" % len(body))
            self._next += 1
            if waiter is not None:
                waiter.request = request
                self._waiting[request] = waiter
        try:
            with self._writing:
                self._socket.sendall(struct.pack(">I", len(body)) + body)
        except OSError:
            # The reader notices too, and tells everybody.
            pass

    def _wait(self, waiter: _Waiter) -> Any:
        waiter.done.wait()
        if waiter.error is not None:
            raise waiter.error
        return waiter.ok

    # The reader.

    def _greeting(self) -> Node:
        try:
            first = self._read()
        except (Disconnected, ValueError) as error:
            raise Unreachable("what answers at %s is no driftlock node: %s" % (self.path, error))
        if "error" in first:
            raise _refusal(first["error"])
        node = first.get("driftlock")
        if not isinstance(node, dict):
            raise Unreachable("what answers at %s is no driftlock node" % self.path)
        if node.get("api") != API:
            raise Unreachable("the node speaks version %s of the API" % node.get("api"))
        return cast(Node, node)

    def _read(self) -> _Fields:
        length = struct.unpack(">I", self._read_exactly(4))[0]
        if length > LONGEST:
            raise ValueError("a frame of %d bytes is too long" % length)
        frame = json.loads(self._read_exactly(length).decode())
        if not isinstance(frame, dict):
            raise ValueError("a frame is an object")
        return frame

    def _read_exactly(self, length: int) -> bytes:
        parts = []
        while length:
            part = self._socket.recv(length)
            if not part:
                raise Disconnected("the node has hung up")
            parts.append(part)
            length -= len(part)
        return b"".join(parts)

    def _keep_reading(self) -> None:
        try:
            while True:
                self._arrived(self._read())
        except Disconnected as error:
            self._end(str(error))
        except OSError as error:
            self._end("the node is gone: %s" % error)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self._end("the node is garbled: %r" % error)
        self._socket.close()

    def _arrived(self, frame: _Fields) -> None:
        if "id" in frame:
            self._answered(frame)
        elif "error" in frame:
            raise Disconnected(frame["error"].get("message", "the node has ended the session"))
        elif frame.get("event") == "lost":
            with self._lock:
                grant = self._held.get(frame["grant"])
            if grant is not None:
                grant._lose(frame.get("reason"), frame.get("message"))

    def _answered(self, frame: _Fields) -> None:
        with self._lock:
            waiter = self._waiting.pop(frame["id"], None)
            if waiter is None:
                return
            if "error" in frame:
                waiter.error = _refusal(frame["error"])
            elif waiter.name is None:
                waiter.ok = frame["ok"]
            else:
                waiter.ok = self._granted(waiter.name, frame["ok"])
        if waiter.withdrawn and waiter.error is None:
            self._give_back(waiter.ok.grant)
        waiter.done.set()

    def _granted(self, name: str, ok: _Fields) -> Grant:
        grant = Grant(self, name, ok["grant"], ok["fence"])
        self._held[grant.grant] = grant
        return grant

    def _end(self, why: str) -> None:
        with self._lock:
            if self._over is None:
                self._over = why
            waiting, self._waiting = self._waiting, {}
            held, self._held = self._held, {}
        for waiter in waiting.values():
            waiter.error = Disconnected(why)
            waiter.done.set()
        for grant in held.values():
            grant._lose("disconnected", why)
