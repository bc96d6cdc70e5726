# SPDX-License-Identifier: Apache-2.0
from small_run import recipe, run  # noqa: F401  fixtures
