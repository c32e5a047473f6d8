// Instruction sets of kernels: the sets in a translation unit, and a program seen through one of them.
//
// Kernels live in the user's file, which is usually compiled for plain x86-64. Each sweep is therefore instantiated
// once per instruction set, as a function with a target attribute under which everything else is inlined; the machine
// decides at run time (runtime/isa.hpp). Sets that the file's own flags already include are not instantiated again, and
// none but the file's own with STG_ONE_INSTRUCTION_SET defined, which halves the time to compile a model.
#pragma once

#include <stg/base/config.hpp>  // STG_INLINE

#if defined(__x86_64__) && !defined(__CUDACC__) && !defined(STG_ONE_INSTRUCTION_SET)
#if !(defined(__AVX2__) && defined(__FMA__))
#define STG_TARGET_AVX2 "avx2,fma"
#endif
#if !(defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__))
#define STG_TARGET_AVX512 "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma"
#endif
#endif

namespace stg::cpu {

/// Bytes of the file's own vectors, by its flags.
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)
inline constexpr int own_vector_bytes = 64;
#elif defined(__AVX2__) && defined(__FMA__)
inline constexpr int own_vector_bytes = 32;
#else
inline constexpr int own_vector_bytes = 16;
#endif
inline constexpr int most_vector_bytes = 64;

/// The flags of a file that change a kernel. They are part of a kernel's name: files compiled with different flags keep
/// their kernels apart at linking.
inline constexpr int kernel_flags = own_vector_bytes
#if defined(STG_TARGET_AVX2)
                                    + 1
#endif
#if defined(STG_TARGET_AVX512)
                                    + 2
#endif
#if defined(__FAST_MATH__)
                                    + 4
#endif
#if defined(__OPTIMIZE__)
                                    + 8
#endif
    ;

/// Executable P for rows of a length known at run time only that fill one to three registers. Rows of 16 to 32 floats
/// read some elements two or three times; a fourth register for longer ones would cost every edge 2 %.
template <class P> struct in_registers : P { static constexpr int unknown_row_registers = 3; };

/// Executable P for vectors of so many bytes.
template <class P, int VectorBytes> struct on_vectors : P {
  static constexpr int vector_bytes = VectorBytes;
  /// Registers that a row of unknown length has; 0: it may be of any length.
  static constexpr int unknown_row_registers = [] {
    if constexpr (requires { P::unknown_row_registers; }) return P::unknown_row_registers;
    else return 0;
  }();
  /// Registers that one block of a result may take: half of them; operands have the others.
  static constexpr int block_registers = VectorBytes == 64 ? 16 : 8;
};

}  // namespace stg::cpu
