// Whether a sanitizer is in the program: what a test asks before it compares times.
#pragma once

#if defined(__has_feature)
#define STG_TEST_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STG_TEST_SANITIZED 1
#else
#define STG_TEST_SANITIZED 0
#endif

namespace stg::test {

inline constexpr bool is_sanitized = STG_TEST_SANITIZED;

}  // namespace stg::test
