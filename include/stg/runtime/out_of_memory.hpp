// Where an allocation fails: what users call says so in a sentence.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>  // int64_t
#include <new>      // bad_alloc

namespace stg::detail {

/// Throws out_of_memory. Takes no memory to do so. All functions that users call and that allocate end with
///
///   } catch (const std::bad_alloc&) {
///     detail::no_memory();
///   }
[[noreturn]] void no_memory();
/// The same of a block: what it is for, its bytes, and what takes fewer.
[[noreturn]] void no_memory_for(const char* what, std::int64_t bytes, const char* instead);

}  // namespace stg::detail
