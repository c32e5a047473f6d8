// AddressSanitizer, where the file is compiled with it: changes of stacks, and memory that nobody may touch.
#pragma once

#include <cstddef>  // size_t

// Of g++ first: where a header has made a __has_feature for it, that knows of none.
#if defined(__SANITIZE_ADDRESS__)
#define STG_EMULATOR_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STG_EMULATOR_ASAN
#endif
#endif

#if defined(STG_EMULATOR_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace stg::emulator {

#if defined(STG_EMULATOR_ASAN)
inline constexpr bool has_asan = true;

inline void poison(const void* p, std::size_t bytes) { __asan_poison_memory_region(p, bytes); }
inline void unpoison(const void* p, std::size_t bytes) { __asan_unpoison_memory_region(p, bytes); }
/// Before a change to the stack at `bottom`; what is kept of the own one is for enter_stack, nothing when it is left
/// for good.
inline void leave_stack(void** kept, const void* bottom, std::size_t bytes) {
  __sanitizer_start_switch_fiber(kept, bottom, bytes);
}
/// After a change to this stack; says where the one lies that was left.
inline void enter_stack(void* kept, const void** left, std::size_t* bytes) {
  __sanitizer_finish_switch_fiber(kept, left, bytes);
}
#else
inline constexpr bool has_asan = false;

inline void poison(const void*, std::size_t) {}
inline void unpoison(const void*, std::size_t) {}
inline void leave_stack(void**, const void*, std::size_t) {}
inline void enter_stack(void*, const void**, std::size_t*) {}
#endif

}  // namespace stg::emulator
