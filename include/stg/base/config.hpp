// Configuration macros: the only macros that the library defines, and what each stands for.
#pragma once

#include <stg/base/standard.hpp>  // C++20

// Kernels for wider instruction sets than the file is compiled for pass vectors between functions that are all inlined.
// Compilers warn that such a call would depend on flags; none is ever made. They look at where the functions stand and
// where they are instantiated, so the warning stays off from here to the end of the file.
#if defined(__GNUC__) && !defined(__CUDACC__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

/// A function whose body must disappear into its caller: kernels are written as many of these. g++ leaves that to the
/// entry (STG_ENTRY): a body is then looked at by itself and in the entry, not once more in each of the dozen functions
/// between, and a file compiles in three quarters of the time. Not where it does not optimise, when it inlines
/// nothing else than what must be.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define STG_INLINE inline
#define STG_ENTRY gnu::noinline, gnu::flatten
#else
#define STG_INLINE [[gnu::always_inline]] inline
#define STG_ENTRY gnu::noinline
#endif

/// The same of a function that has no effect that a compiler knows of, but is called for what it does.
#define STG_INLINE_WHOLLY [[gnu::always_inline]] inline

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

/// [[nodiscard]] in front of the name of a type: of values, tensors, graphs, sets of parameters and programs, as in
/// `class STG_NODISCARD(STG_TENSOR_IS_NOT_USED) tensor`. nvcc takes an assigned one for a dropped one, and sees none.
#if defined(__CUDACC__)
#define STG_NODISCARD(sentence)
#else
#define STG_NODISCARD(sentence) [[nodiscard(sentence)]]
#endif

/// Its sentences, and those of functions: about `relu(h);`, which leaves h as it is.
#define STG_IS_NOT_USED "stg: this value is dropped; no function changes what it is given: auto y = relu(h)"
#define STG_TENSOR_IS_NOT_USED "stg: this tensor is dropped, and no argument has changed: auto y = x.clone()"
#define STG_GRAPH_IS_NOT_USED "stg: this graph is dropped, and g is as it was: auto looped = g.add_self_loops()"
#define STG_SET_IS_NOT_USED "stg: this set is dropped, and params are as they were: auto best = params.clone()"
#define STG_PROGRAM_IS_NOT_USED "stg: this program is dropped, and p is as it was: auto q = rewrite(p, rule)"
#define STG_STEP_IS_NOT_USED "stg: this step's result is dropped and trains nothing: optimizer.step(now.gradients)"
#define STG_NUMBER_IS_NOT_USED "stg: this number is dropped, and nothing else was done: const double n = norm(set)"
#define STG_STOP_IS_NOT_USED "stg: stop_after says whether to stop: if (stopping.stop_after(loss)) break;"

/// Where mistakes are said. clang says a sentence at the line of whoever calls a function, before anything else, if the
/// function is declared with it (`diagnose_if`); g++ says one in the function's body, and shows the way to it. So what
/// a rule says stands in front of a function for the one, and in its body for the other: macros come in pairs, of which
/// one is empty. None calls another, since clang prints three lines for each expansion.
#if defined(__clang__) && !defined(__CUDACC__)
#define STG_SAYS_AT_CALLS 1
#else
#define STG_SAYS_AT_CALLS 0
#endif
