// The functions of a C library, by their names.
#include <stg/c_library.hpp>

#include <string>       // string
#include <string_view>  // string_view
#include <utility>      // move

#include <stg/base/error.hpp>  // error

namespace stg {

namespace {

/// Puts a program of a function where none is.
template <class T> void put(std::shared_ptr<T>& place, std::shared_ptr<T> made, std::string_view name) {
  if (place != nullptr) throw error("the library has two programs '" + std::string(name) + "'; give each its name");
  place = std::move(made);
}

}  // namespace

const door::signature& c_library::function::described() const {
  if (program != nullptr) return program->described();
  return training != nullptr ? training->described() : loss->described();
}

c_library::function& c_library::named(std::string_view name, std::string_view text) {
  for (function& f : functions_)
    if (f.name == name) {
      if (!text.empty()) f.text = text;
      return f;
    }
  functions_.push_back({std::string(name), std::string(text)});
  return functions_.back();
}

void c_library::add(std::string_view name, std::string_view text, std::shared_ptr<door::program> made) {
  put(named(name, text).program, std::move(made), name);
}
void c_library::add(std::string_view name, std::string_view text, std::shared_ptr<door::training> made) {
  put(named(name, text).training, std::move(made), name);
}
void c_library::add(std::string_view name, std::string_view text, std::shared_ptr<door::loss> made) {
  put(named(name, text).loss, std::move(made), name);
}

}  // namespace stg
