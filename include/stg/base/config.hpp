// Configuration macros: the only macros that the library defines, and what each stands for.
#pragma once

// Kernels for wider instruction sets than the file is compiled for pass vectors between functions that are all inlined.
// Compilers warn that such a call would depend on flags; none is ever made. They look at where the functions stand and
// where they are instantiated, so the warning stays off from here to the end of the file.
#if defined(__GNUC__) && !defined(__CUDACC__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

/// A function whose body must disappear into its caller: kernels are written as many of these. Not left to an entry
/// that asks for all at once (flatten): what registers are stored and loaded with is written in assembly, of which g++
/// 12 does not see that it reads and writes memory once it stands in a function that is looked at by itself.
#define STG_INLINE [[gnu::always_inline]] inline

/// Callable from a kernel as well as from the host when the file is compiled as CUDA.
#if defined(__CUDACC__)
#define STG_HOST_DEVICE __host__ __device__
#else
#define STG_HOST_DEVICE
#endif

/// A function of numbers, or of vectors of them: inlined into kernels of every instruction set, since a call with a
/// vector in a register needs both sides compiled alike.
#define STG_LANEWISE [[gnu::always_inline]] STG_HOST_DEVICE

/// A function of CUDA kernels: inlined on the device, where a call would keep values from registers; tests that execute
/// kernels on the host compile sooner without.
#if defined(__CUDACC__)
#define STG_KERNEL __host__ __device__ __forceinline__
#else
#define STG_KERNEL inline
#endif
