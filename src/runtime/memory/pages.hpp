// Memory that starts on a cache line, or on a huge page when it is large.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t

namespace stg::detail {

inline constexpr std::int64_t cache_line = 64;
inline constexpr std::int64_t huge_page = std::int64_t{2} << 20;

/// At least `bytes` bytes with indeterminate contents, to be given back with std::free; null when they are not to be
/// had. From one huge page on aligned to huge pages and advised for them: random rows of a large table are then found
/// without a walk through page tables. Touching pages from several threads gains nothing that could be measured.
std::byte* allocate_pages(std::int64_t bytes);

}  // namespace stg::detail
