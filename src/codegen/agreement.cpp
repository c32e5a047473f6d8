// Whether the headers of a program are those that the library was compiled with.
#include <stg/call/agreement_check.hpp>    // check_agreement
#include <stg/codegen/cpu/form_words.hpp>  // form_numbers

#include <cstdio>   // fprintf
#include <cstdlib>  // abort

namespace stg::detail {

static_assert(cpu::detail::form_numbers.are_apart(),
              "stg: two operations have one number in forms; begin form_number with another");

bool check_agreement(const codegen::agreement& of_headers) {
  constexpr codegen::agreement mine = codegen::agreement_of_headers;
  const char* const differ = of_headers.operations != mine.operations ? "operations"
                             : of_headers.programs != mine.programs   ? "programs"
                             : of_headers.plans != mine.plans         ? "plans"
                             : of_headers.calls != mine.calls         ? "calls"
                             : of_headers.kernels != mine.kernels     ? "kernels"
                                                                      : nullptr;
  if (differ == nullptr) return true;
  std::fprintf(stderr, "stg: these headers' %s are not the linked library's; rebuild it, or include its own headers\n",
               differ);
  std::abort();
}

}  // namespace stg::detail
