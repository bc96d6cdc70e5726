# SPDX-License-Identifier: Apache-2.0
"""What `headrace.mindspore` and `headrace.torch` share: a small BERT that says how good a text is.

All but the arithmetic of training lies here, in NumPy: labels, vocabulary, first weights, batches, the ONNX graph, the
model card. So both frameworks see the same numbers in the same order, and their models differ by rounding only.
"""

from headrace.quality.train import Options, Trained

__all__ = ["Options", "Trained"]
