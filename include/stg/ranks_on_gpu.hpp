// Parts of cut graphs on a GPU: included in one file of a program, which is compiled as CUDA. It has the kernels that
// pack rows for other ranks; a program without ranks pays nothing for them. In a file that is compiled for the CPU
// alone it has the links of devices and no kernels.
#pragma once

#include <stg/distributed/device_links.hpp>  // device_links

#if defined(__CUDACC__)
#include <stg/call/on_gpu.hpp>                  // cuda_launcher
#include <stg/codegen/cuda/exchanged_rows.hpp>  // rank_functions_of

namespace stg::gpu {
[[maybe_unused]] inline const auto rank_functions_before = install_rank_functions(&rank_functions_of<cuda_launcher>);
}  // namespace stg::gpu
#endif
