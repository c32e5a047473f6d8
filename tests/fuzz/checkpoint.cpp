// Bytes as the folder or the file of a run: parameters, and what an optimiser, a plateau and early stopping need to go
// on.
#include "readers.hpp"  // fuzz_checkpoint

#include "records.hpp"  // demand, may_refuse, write_records

#include <stg/data/checkpoint.hpp>         // load_checkpoint, load_parameters, load_state
#include <stg/runtime/early_stopping.hpp>  // early_stopping
#include <stg/runtime/optimizer.hpp>       // adam
#include <stg/runtime/schedule.hpp>        // reduce_on_plateau
#include <stg/stg.hpp>                     // parameters

#include <algorithm>   // equal
#include <array>       // array
#include <cmath>       // isfinite
#include <cstring>     // memcmp
#include <filesystem>  // create_directories
#include <string>      // string
#include <vector>      // vector

namespace stg::test {

namespace {

inline constexpr auto x = vertex_feature<"x", 2>;
inline constexpr auto W = parameter<"W", 2, 3>;
inline constexpr auto b = parameter<"b", 3>;
inline constexpr auto model = [](auto v) { return linear(v(x), W, v(b)); };

constexpr std::array names_of_run = {"W",
                                     "b",
                                     "adam/first/W",
                                     "adam/first/b",
                                     "adam/second/W",
                                     "adam/second/b",
                                     "adam/numbers",
                                     "reduce_on_plateau/numbers",
                                     "early_stopping/numbers",
                                     "early_stopping/best/W",
                                     "early_stopping/best/b",
                                     ".saved/W",  // as a process leaves them that was killed
                                     ".saved/adam/numbers"};

template <class Set> std::vector<float> numbers_in(const Set& set) {
  std::vector<float> all;
  for_each(set, [&](std::string_view, const auto& t) { all.insert(all.end(), t.begin(), t.end()); });
  return all;
}

/// Whether action refuses. What it may have changed then is for the caller to look at.
template <class Action> bool refuses(Action action) {
  try {
    action();
  } catch (const error&) {
    return true;
  }
  return false;
}

}  // namespace

void fuzz_checkpoint(std::string_view bytes) {
  for (const char* name : {"adam/first", "adam/second", "reduce_on_plateau", "early_stopping/best", ".saved/adam"})
    std::filesystem::create_directories(folder().file(name));
  write_records(bytes, names_of_run, 4);
  auto params = parameters<model>();
  initialize(params, 1);
  const std::vector<float> before = numbers_in(params);
  if (refuses([&] { load_parameters(params, folder().path()); }))
    demand(numbers_in(params) == before, "parameters as they were before files that were refused");

  auto mine = parameters<model>(), others = parameters<model>();
  initialize(mine, 2);
  initialize(others, 2);
  adam optimizer(mine, {.learning_rate = 0.125}), untouched(others, {.learning_rate = 0.125});
  const bool refused = refuses([&] { load_state(optimizer, folder().path()); });
  demand(std::isfinite(optimizer.learning_rate()) && optimizer.learning_rate() >= 0, "a rate that can be one");
  demand(optimizer.steps() >= 0, "a number of steps");
  optimizer.step(params.numbers());
  untouched.step(params.numbers());
  if (refused)
    demand(optimizer.steps() == 1 && numbers_in(mine).size() == numbers_in(others).size() &&
               std::memcmp(numbers_in(mine).data(), numbers_in(others).data(), 4 * numbers_in(mine).size()) == 0,
           "an optimiser that goes on as if nothing had been read");

  schedule::reduce_on_plateau rate({.from = 0.5});
  may_refuse([&] { load_state(rate, folder().path()); });
  demand(rate(1) >= 0, "a rate that can be one");
  early_stopping stopping(params, {.patience = 3});
  may_refuse([&] { load_state(stopping, folder().path()); });
  may_refuse([&] { stopping.restore(); });
  stopping.stop_after(1);

  auto all = parameters<model>();
  initialize(all, 3);
  const std::vector<float> all_before = numbers_in(all);
  adam trained(all);
  if (refuses([&] { load_checkpoint(folder().path(), all, trained, rate, stopping); }))
    demand(numbers_in(all) == all_before && trained.steps() == 0, "all as it was before one file was refused");
}

namespace {

/// A file written from what was read of a first one is read as it, and as its bytes are once more written.
void check_copies(const safetensors_file& file) {
  const auto copied = [](const safetensors_file& from, const char* name) {
    safetensors_writer copy(folder().file(name));
    copy.write(from.metadata());
    for (const safetensors_entry& t : from.tensors()) copy.write(t.name, from, t.name);
    copy.put_in_place();
    return safetensors_file(copy.path());
  };
  const safetensors_file one = copied(file, "one.safetensors");
  demand(one.tensors().size() == file.tensors().size(), "all tensors in a copy");
  demand(one.metadata().texts == file.metadata().texts, "all texts in a copy");
  for (const safetensors_entry& t : file.tensors()) {
    const safetensors_entry& same = one.at(t.name);
    demand(same.type == t.type && same.shape == t.shape, "types and shapes as in the file");
    demand(one.bytes(t.name) == file.bytes(t.name), "bytes as in the file");
  }
  const safetensors_file two = copied(one, "two.safetensors");
  for (std::size_t i = 0; i < one.tensors().size(); ++i)
    demand(one.tensors()[i].name == two.tensors()[i].name && one.tensors()[i].begin == two.tensors()[i].begin,
           "a copy that is copied as it is");
}

}  // namespace

void fuzz_safetensors(std::string_view bytes) {
  const bool is_whole = bytes.empty() || bytes[0] % 2 == 0;
  if (!bytes.empty()) bytes.remove_prefix(1);
  const std::uint64_t length = bytes.rfind('}') == std::string_view::npos ? 0 : bytes.rfind('}') + 1;
  std::string all(is_whole ? 0 : 8, '\0');
  if (!is_whole) std::memcpy(all.data(), &length, 8);
  const std::string path = folder().write("a.safetensors", all.append(bytes));
  may_refuse([&] {
    const safetensors_file file(path);
    std::size_t held = 0;
    for (const safetensors_entry& t : file.tensors()) {
      held += file.bytes(t.name).size();
      may_refuse([&] { file.read<bool>(t.name); });
      may_refuse([&] { file.read<float>(t.name); });
      may_refuse([&] { file.read_as<float>(t.name); });
      may_refuse([&] { file.read_as<double>(t.name); });
      may_refuse([&] { file.read_as<std::int32_t>(t.name); });
      may_refuse([&] { file.read_as<std::int64_t>(t.name); });
      may_refuse([&] { file.read_as<bool>(t.name); });
    }
    demand(held <= bytes.size(), "no more bytes than the file has");
    check_copies(file);
  });
  auto params = parameters<model>();
  initialize(params, 1);
  const std::vector<float> before = numbers_in(params);
  adam optimizer(params);
  metadata texts;
  if (refuses([&] { load_checkpoint(path, params, optimizer, texts); }))
    demand(numbers_in(params) == before && optimizer.steps() == 0 && texts.texts.empty(), "all as it was before");
}

}  // namespace stg::test
