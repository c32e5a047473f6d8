// Words that the parts of an explanation share: values, tables, and sizes as formulas.
#pragma once

#include <cstdint>  // int64_t
#include <string>   // string
#include <vector>   // vector

#include <stg/call/report.hpp>  // sizes
#include <stg/ir/program.hpp>   // program

#include "formula.hpp"  // formula

namespace stg::detail::explained {

using ir::value_id;
using table = std::vector<std::vector<std::string>>;

inline std::size_t index(int i) { return static_cast<std::size_t>(i); }

std::string indented(const std::string& lines, std::size_t by);
std::string listed(const std::vector<std::string>& items);
void add_once(std::vector<std::string>& items, const std::string& item);
/// `%3 = mul (%1, %2)`, its shape and its names.
std::vector<std::string> line_of(const ir::program& p, value_id i);
/// `%3 (16) "score"`.
std::string value_text(const ir::program& p, value_id i);

/// A formula, and its number where sizes are given.
class measure {
 public:
  explicit measure(const sizes* given) : given(given) {}
  std::string operator()(const formula& f) const;
  std::int64_t value(const formula& f) const;

 private:
  std::int64_t entries(const std::string& input) const;

  const sizes* given;
};

}  // namespace stg::detail::explained
