// Programs through their text and back: all that a program says is there again.
#pragma once

#include "program_difference.hpp"  // difference

#include <stg/ir/text.hpp>  // from_text, to_text

#include <gtest/gtest.h>  // AssertionResult

#include <string>  // string

namespace stg::test {

/// Whether a program is read back from its text, and has the same text then.
inline testing::AssertionResult goes_through_text(const ir::program& p) {
  const std::string text = ir::to_text(p);
  try {
    const ir::program q = ir::from_text(text);
    const std::string other = difference(p, q);
    if (!other.empty()) return testing::AssertionFailure() << other << " is not read back\n" << text << ir::to_text(q);
    if (ir::to_text(q) != text) return testing::AssertionFailure() << "another text\n" << text << ir::to_text(q);
  } catch (const error& e) {
    return testing::AssertionFailure() << e.what() << '\n' << text;
  }
  return testing::AssertionSuccess();
}

}  // namespace stg::test
