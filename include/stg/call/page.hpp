// stg::write_page: the outcome of a lambda, as one page for a browser.
#pragma once

#include <string>  // string

#include <stg/call/explain.hpp>  // programs_of
#include <stg/call/report.hpp>   // page, write_whole_file

namespace stg {

namespace detail {
template <class Backend, const auto& F, const auto&... Wrt>
std::string page_of(const std::string& path, const sizes* given) {
  if constexpr (!is_right<ref<F>>) {
    return {};
  } else {
    const std::vector<std::int64_t> extents =
        given != nullptr
            ? extents_of<F>(*given)
            : std::vector<std::int64_t>(static_cast<std::size_t>(canonical<ref<F>>::value.room.extents) + 1, 1);
    const sizes any{.vertices = 1, .edges = 1};
    const sequence<kind_rows> kinds = rows_of_kinds(canonical<ref<F>>::value.thaw().kinds, given);
    step_graphs graphs = step_graphs_in(given != nullptr ? *given : any);
    call_sizes n = call_sizes_of(given != nullptr ? *given : any, extents.data(), graphs);
    n.kinds = kinds.data();
    return page(path, canonical<ref<F>>::value.thaw(), programs_of<Backend, fixed_symbols<>, F, Wrt...>(n), given);
  }
}
}  // namespace detail

/// Writes one page that a browser opens from disk, without a network or a script: the summary of explain, the equations
/// of the outputs, and for inference, forward and gradient the program folded by scope, its units with their loops,
/// each value's time in memory from unit to unit, and a picture. With sizes formulas have numbers, and memory has a
/// chart. Errors: the size of an extent is missing, the file cannot be written.
///
///   stg::write_page<gat>("gat.html");
///   stg::write_page<gat>("gat.html", {.vertices = 2708, .edges = 13264});
template <const auto& F, const auto&... Wrt, class Backend = default_backend> void write_page(const std::string& path) {
#include <stg/call/look_into.inc>
  detail::write_whole_file(path, detail::page_of<Backend, F, Wrt...>(path, nullptr));
}
template <const auto& F, const auto&... Wrt, class Backend = default_backend>
void write_page(const std::string& path, const sizes& given) {
#include <stg/call/look_into.inc>
  detail::write_whole_file(path, detail::page_of<Backend, F, Wrt...>(path, &given));
}

}  // namespace stg
