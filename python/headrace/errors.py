# SPDX-License-Identifier: Apache-2.0
"""Errors. Each also derives from the built-in of the same meaning, so code that knows nothing of headrace catches it."""

from __future__ import annotations


class Error(Exception):
    """Base of all errors that headrace raises.

    Attributes:
        code: What kind of thing went wrong, as in messages and JSON.
        reach: How far it reaches: "record", "shard" or "run".
        retryable: Whether the same call may succeed later.
    """

    code: str = "internal"
    reach: str = "run"
    retryable: bool = False


class InvalidArgument(Error, ValueError):
    """The caller or the recipe is wrong; the message lists all faults."""

    code = "invalid_argument"


class NotFound(Error, FileNotFoundError):
    """A file, run, document or name is not there."""

    code = "not_found"


class AlreadyExists(Error, FileExistsError):
    """The target is there and must not be replaced."""

    code = "already_exists"


class Corrupt(Error, ValueError):
    """Bytes are not what their format, checksum or count says."""

    code = "corrupt"


class Unavailable(Error, OSError):
    """Storage or a service failed."""

    code = "unavailable"


class ResourceExhausted(Error, OSError):
    """The disk is full, or a limit on memory or open files is reached."""

    code = "resource_exhausted"


class Unsupported(Error, NotImplementedError):
    """Known, named, and not done by this version."""

    code = "unsupported"


class Cancelled(Error):
    """A stop was asked for; what was committed is valid."""

    code = "cancelled"


class Internal(Error, RuntimeError):
    """A mistake of headrace itself; please report it with the message."""

    code = "internal"


_CLASSES: dict[str, type[Error]] = {
    cls.code: cls
    for cls in (InvalidArgument, NotFound, AlreadyExists, Corrupt, Unavailable, ResourceExhausted, Unsupported, Cancelled,
                Internal)
}


def from_status(code: str, message: str, reach: str, retryable: bool) -> Error:
    """The exception for a status of the engine."""
    error = _CLASSES.get(code, Internal)(message)
    error.reach = reach
    error.retryable = retryable
    return error
