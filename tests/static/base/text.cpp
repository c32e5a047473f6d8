// text: numbers are appended whole.
#include <stg/base/text.hpp>

namespace stg {

constexpr text counted(std::uint64_t n) {
  text t("d(output ");
  t.append_number(n);
  return t;
}
static_assert(counted(0) == text("d(output 0"));
static_assert(counted(9) == text("d(output 9"));
static_assert(counted(10) == text("d(output 10"));
static_assert(counted(1207) == text("d(output 1207"));

}  // namespace stg
