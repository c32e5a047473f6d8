// The sentences of allocations that fail.
#include <stg/runtime/out_of_memory.hpp>

#include <stg/base/error.hpp>  // out_of_memory

#include <string>  // string, to_string

namespace stg::detail {

namespace {

/// Made while there is memory: a copy of it takes none.
const out_of_memory& made_before() {
  static const out_of_memory sentence("out of memory; use a smaller graph or batch, or fewer features");
  return sentence;
}
[[maybe_unused]] const out_of_memory& made_at_start = made_before();

}  // namespace

void no_memory() { throw out_of_memory(made_before()); }

void no_memory_for(const char* what, std::int64_t bytes, const char* instead) {
  try {
    throw out_of_memory("out of memory for " + std::string(what) + " of " + std::to_string(bytes) + " bytes; " +
                        instead);
  } catch (const std::bad_alloc&) {
    no_memory();
  }
}

}  // namespace stg::detail
