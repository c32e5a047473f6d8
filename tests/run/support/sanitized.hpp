// Whether a sanitizer is in the program: what a test asks before it compares times.
#pragma once

// Of g++ first: where a header has made a __has_feature for it, that knows of none.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STG_TEST_SANITIZED 1
#elif defined(__has_feature)
#define STG_TEST_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define STG_TEST_SANITIZED 0
#endif

namespace stg::test {

inline constexpr bool is_sanitized = STG_TEST_SANITIZED;

}  // namespace stg::test
