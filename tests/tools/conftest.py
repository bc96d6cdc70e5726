# SPDX-License-Identifier: Apache-2.0
from planted_tree import tree  # noqa: F401  a fixture
