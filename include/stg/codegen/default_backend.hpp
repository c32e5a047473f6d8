// The backend that programs run on when a user names none: the CPU, by the kernels that this file's compiler accepts,
// or by none of their own where it does not optimise.
#pragma once

// Kernels that are compiled without optimisation take long to compile and are many times slower than drafts.
// STG_DRAFT=1, defined before the first header of stg or for the whole program, makes drafts the default, STG_DRAFT=0
// kernels.
#if !defined(STG_DRAFT) && defined(__GNUC__) && !defined(__OPTIMIZE__)
#define STG_DRAFT 1
#elif !defined(STG_DRAFT)
#define STG_DRAFT 0
#endif

#if defined(__CUDACC__)
#include <stg/codegen/cuda/host.hpp>  // host_backend
#elif STG_DRAFT
#include <stg/codegen/draft/backend.hpp>  // draft
#else
#include <stg/codegen/cpu/backend.hpp>  // backend
#endif

namespace stg {

#if defined(__CUDACC__)
using default_backend = gpu::host_backend;
#elif STG_DRAFT
using default_backend = draft;
#else
using default_backend = cpu::backend;
#endif

}  // namespace stg
