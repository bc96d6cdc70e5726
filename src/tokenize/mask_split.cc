// SPDX-License-Identifier: Apache-2.0
#include "tokenize/mask_split.h"

namespace headrace::tokenize {

const MaskKernels& mask_kernels(SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return kAvx512MaskKernels;
  if (level == SimdLevel::kAvx2) return kAvx2MaskKernels;
#endif
  (void)level;
  return kScalarMaskKernels;
}

}  // namespace headrace::tokenize
