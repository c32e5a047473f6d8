// The sentences of failed CUDA calls.
#include <stg/runtime/cuda/check.hpp>

namespace stg::gpu {

std::string to_string(const purpose& why) {
  std::string s(why.program);
  const auto add = [&s](const char* between, const std::string& more) { s += (s.empty() ? "" : between) + more; };
  if (!why.unit.empty()) add(", ", "unit '" + std::string(why.unit) + "'");
  if (why.vertices >= 0)
    add(" on ", std::to_string(why.vertices) + " vertices" +
                    (why.edges >= 0 ? " and " + std::to_string(why.edges) + " edges" : ""));
  return s.empty() ? "CUDA" : s;
}

void fail(api& calls, const purpose& why, std::string_view call, status s) {
  calls.last_error();  // so that no later check finds it
  const char* const advice =
      s == status::no_kernel_image ? "; add the device's architecture to STG_CUDA_ARCHITECTURES"
      : s == status::unsupported_ptx
          ? "; add the device's architecture to STG_CUDA_ARCHITECTURES, or install a newer driver"
          : "";
  throw error(to_string(why) + ": " + std::string(call) + " failed: " + calls.error_text(s) + " (" +
              calls.error_name(s) + ")" + advice);
}

}  // namespace stg::gpu
