// Configuration macros: the only macros that the library defines, and what each stands for.
#pragma once

/// A function whose body must disappear into its caller: kernels are written as many of these.
#define STG_INLINE [[gnu::always_inline]] inline

/// Callable from a kernel as well as from the host when the file is compiled as CUDA.
#if defined(__CUDACC__)
#define STG_HOST_DEVICE __host__ __device__
#else
#define STG_HOST_DEVICE
#endif
