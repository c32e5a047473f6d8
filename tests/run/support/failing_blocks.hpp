// Blocks of tensors and calls, which are no new, counted and failing with what counted_new.hpp counts. Not under
// sanitizers, whose own aligned_alloc is there.
#pragma once

#include "counted_new.hpp"  // new_calls, fails_at

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <malloc.h>  // memalign

extern "C" [[gnu::noinline]] void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return stg::test::new_calls++ == stg::test::fails_at ? nullptr : memalign(alignment, bytes);
}
#endif
