// Configuration macros: the only macros that the library defines, and what each stands for.
#pragma once

// Kernels for wider instruction sets than the file is compiled for pass vectors between functions that are all inlined.
// Compilers warn that such a call would depend on flags; none is ever made. They look at where the functions stand and
// where they are instantiated, so the warning stays off from here to the end of the file.
#if defined(__GNUC__) && !defined(__CUDACC__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

/// A function whose body must disappear into its caller: kernels are written as many of these.
#define STG_INLINE [[gnu::always_inline]] inline

/// The same for a function of a sweep, which is one of hundreds, many calls deep. g++ optimises what it inlines once
/// for every function in which it lands on its way up, which takes half the time to compile a kernel. So there the
/// entry asks for all of them at once (STG_FLAT): a function is optimised by itself, then the whole. What is not
/// optimised must disappear, too, and clang has no such entry.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define STG_IN_SWEEP inline
#define STG_FLAT [[gnu::flatten]]
#else
#define STG_IN_SWEEP STG_INLINE
#define STG_FLAT
#endif

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
