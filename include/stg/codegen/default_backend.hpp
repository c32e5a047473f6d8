// The backend that programs run on when a user names none: the CPU, by the kernels that this file's compiler accepts.
#pragma once

#if defined(__CUDACC__)
#include <stg/codegen/cuda/host.hpp>  // host_backend
#else
#include <stg/codegen/cpu/backend.hpp>  // backend
#endif

namespace stg {

#if defined(__CUDACC__)
using default_backend = gpu::host_backend;
#else
using default_backend = cpu::backend;
#endif

}  // namespace stg
