# SPDX-License-Identifier: Apache-2.0
"""python -m headrace.torch train ..."""

import sys

from headrace.quality.command import main
from headrace.torch import train_quality

if __name__ == "__main__":
    sys.exit(main("headrace.torch", train_quality))
