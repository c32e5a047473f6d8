// Words that the parts of an explanation share.
#include "report_words.hpp"

#include <stg/base/error.hpp>  // error
#include <stg/ir/print.hpp>    // spelled, operation_text

namespace stg::detail::explained {

std::string indented(const std::string& lines, std::size_t by) {
  std::string r;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at);
    r += std::string(by, ' ') + lines.substr(at, end + 1 - at);
    at = end + 1;
  }
  return r;
}

std::string listed(const std::vector<std::string>& items) {
  std::string r;
  for (const std::string& item : items) r += (r.empty() ? "" : ", ") + item;
  return r;
}
void add_once(std::vector<std::string>& items, const std::string& item) {
  for (const std::string& known : items)
    if (known == item) return;
  items.push_back(item);
}

std::vector<std::string> line_of(const ir::program& p, value_id i) {
  return {ir::detail::spelled(i) + " = " + ir::detail::operation_text(p, p[i]) + ir::detail::operands_text(p[i]),
          ir::detail::spelled(p, p[i].dims), ir::detail::labels_text(p, i)};
}
std::string value_text(const ir::program& p, value_id i) {
  const std::string names = ir::detail::names_text(p, i);
  return ir::detail::spelled(i) + ' ' + ir::detail::spelled(p, p[i].dims) + (names.empty() ? "" : ' ' + names);
}

std::string measure::operator()(const formula& f) const {
  return f.spelled() + (given ? " = " + std::to_string(value(f)) : "");
}

std::int64_t measure::value(const formula& f) const {
  return f.evaluate([&](const std::string& name) -> std::int64_t {
    if (name == "|V|") return given->vertices;
    if (name == "|E|") return given->edges;
    if (name == edges_of_a_vertex) return given->vertices == 0 ? 0 : given->edges / given->vertices;
    for (const extent_size& known : given->kinds)
      if (name == "|" + std::string(known.name.view()) + "|") return known.size;
    if (name.starts_with('|')) return entries(name.substr(1, name.size() - 2));
    for (const extent_size& known : given->extents)
      if (known.name.view() == name) return known.size;
    throw error("internal: no size of '" + name + "'");
  });
}

std::int64_t measure::entries(const std::string& input) const {
  for (const extent_size& known : given->entries)
    if (known.name.view() == input) return known.size;
  throw error("sizes need the entries of the sparse feature '" + input + "'; add .entries = {sized<\"" + input +
              "\">(n)}");
}

}  // namespace stg::detail::explained
