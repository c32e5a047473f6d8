// Bytes as the text of a program: what is read has a text of its own, from which the same program is read again.
#include "readers.hpp"  // fuzz_program_text

#include "../run/support/program_difference.hpp"  // difference
#include "records.hpp"                            // demand, may_refuse

#include <stg/ir/text.hpp>  // from_text, to_text

#include <string>  // string

namespace stg::test {

void fuzz_program_text(std::string_view bytes) {
  ir::program p;
  bool is_read = false;
  may_refuse([&] {
    p = ir::from_text(bytes);
    is_read = true;
  });
  if (!is_read) return;
  const std::string text = ir::to_file_text(p);
  const ir::program q = ir::from_text(text);  // which may not be refused
  demand(difference(p, q).empty(), "the program that was read");
  demand(ir::to_file_text(q) == text, "the text that was written");
}

}  // namespace stg::test
