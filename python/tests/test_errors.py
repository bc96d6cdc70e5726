# SPDX-License-Identifier: Apache-2.0
"""Each error of the engine is a headrace.Error and the built-in of the same meaning."""

import headrace
import pytest
from headrace import errors

MEANING = [
    ("invalid_argument", headrace.InvalidArgument, ValueError),
    ("not_found", headrace.NotFound, FileNotFoundError),
    ("already_exists", headrace.AlreadyExists, FileExistsError),
    ("corrupt", headrace.Corrupt, ValueError),
    ("unavailable", headrace.Unavailable, OSError),
    ("resource_exhausted", headrace.ResourceExhausted, OSError),
    ("unsupported", headrace.Unsupported, NotImplementedError),
    ("cancelled", headrace.Cancelled, headrace.Error),
    ("internal", headrace.Internal, RuntimeError),
    ("a code of a later library", headrace.Internal, RuntimeError),
]


@pytest.mark.parametrize(("code", "cls", "builtin"), MEANING)
def test_class_of_a_code(code, cls, builtin):
    error = errors.from_status(code, "reading x: 文", "shard", True)
    assert type(error) is cls
    assert isinstance(error, headrace.Error)
    assert isinstance(error, builtin)
    assert (str(error), error.reach, error.retryable) == ("reading x: 文", "shard", True)


@pytest.mark.parametrize("call", [
    lambda: headrace.Feed("no/such/set"),
    lambda: headrace.Tokenizer("no/such/tokenizer.json"),
    lambda: headrace.read_manifest("no/such/set"),
    lambda: headrace.verify_shards("no/such/set"),
    lambda: headrace.Run.open("no/such/run"),
    lambda: headrace.run("no/such/recipe.yaml"),
])
def test_what_is_not_there(call):
    with pytest.raises(headrace.NotFound, match="no/such"):
        call()


def test_parts_of_later_versions_are_named():
    assert not hasattr(headrace, "CheckpointWriter")
    with pytest.raises(headrace.Unsupported, match="headrace.CheckpointWriter is not in version"):
        headrace.CheckpointWriter  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'tourch'"):
        headrace.tourch  # noqa: B018
