// Finding and reading the files of one of OGB's folders.
#include "ogb_files.hpp"  // ogb_files

#include "../runtime/data/number_rows.hpp"  // read_number_list, read_number_rows
#include "../runtime/data/word.hpp"         // in_quotes

#include <algorithm>   // copy, sort
#include <filesystem>  // directory_iterator, exists

namespace stg::detail {

namespace {

constexpr const char* ogb = "ogb file";

bool is_there(const std::string& path) {
  std::error_code status;
  return std::filesystem::exists(path, status);
}

/// What the user writes where a split was saved by PyTorch: the same split as text.
[[noreturn]] void refuse_pickled(const std::string& folder, const std::string& file) {
  throw error("ogb split " + folder + "/" + file + " is saved by PyTorch, which only Python reads; convert it: " +
              "python3 -c \"import torch, numpy; [numpy.savetxt('" + folder +
              "/' + n + '.csv.gz', v, '%d', ',') for n, v in " +
              (file == "split_dict.pt"
                   ? "torch.load('" + folder + "/split_dict.pt', weights_only=False).items()"
                   : "((n, torch.load('" + folder +
                         "/' + n + '.pt', weights_only=False)['edge']) for n in ('train', 'valid', 'test'))") +
              "]\"");
}

}  // namespace

ogb_files::ogb_files(const std::string& folder) : folder_(folder) {
  if (!is_there(folder + "/raw"))
    fail("has no folder raw; expected one of OGB's data sets, unpacked, with raw/edge.csv.gz or raw/data.npz");
  has_kinds_ = has_text("num-node-dict") || has_archive("num_nodes_dict");
  is_binary_ = has_archive(has_kinds_ ? "num_nodes_dict" : "data");
}

std::string ogb_files::text_file(std::string_view name) const {
  std::string path = folder_ + "/raw/";
  path += name;
  return is_there(path + ".csv") ? path + ".csv" : path + ".csv.gz";
}
bool ogb_files::has_text(std::string_view name) const { return is_there(text_file(name)); }
bool ogb_files::has_archive(std::string_view name) const {
  return is_there(folder_ + "/raw/" + std::string(name) + ".npz");
}
npz_file ogb_files::archive(std::string_view name) const {
  return read_npz(folder_ + "/raw/" + std::string(name) + ".npz");
}

template <class T> tensor<T> ogb_files::rows(std::string_view name) const {
  return read_number_rows<T>(ogb, text_file(name), empty_fields::are_nan);
}
template <class T> tensor<T> ogb_files::list(std::string_view name) const {
  return read_number_list<T>(ogb, text_file(name), empty_fields::are_refused);
}
template <class T> tensor<T> ogb_files::array(std::string_view archive_name, std::string_view name) const {
  tensor<T> values = archive(archive_name).array_as<T>(name);
  if (values.rank() != 1) return values;
  const std::int64_t rows = values.extent(0);
  return std::move(values).reshape({rows, 1});
}
tensor<std::int64_t> ogb_files::pairs(std::string_view archive_name, std::string_view name) const {
  tensor<std::int64_t> ends = archive(archive_name).array_as<std::int64_t>(name);
  if (ends.rank() != 2 || ends.extent(0) != 2)
    fail("has edges of shape " + to_string(ends.shape()) + " in raw/" + std::string(archive_name) +
         ".npz; expected (2, edges)");
  return ends;
}

void ogb_files::check_vertices(std::int64_t vertices) const {
  constexpr std::int64_t without_bytes = std::int64_t{1} << 22;
  if (vertices <= without_bytes) return;
  std::error_code problem;
  std::int64_t bytes = 0;
  for (std::filesystem::recursive_directory_iterator at(folder_ + "/raw", problem), end; !problem && at != end;
       at.increment(problem)) {
    std::error_code unreadable;
    const std::uintmax_t size = at->is_regular_file(unreadable) ? at->file_size(unreadable) : 0;
    if (!unreadable) bytes += static_cast<std::int64_t>(size);
  }
  if (vertices > bytes)
    fail("says that it has " + std::to_string(vertices) + " vertices, and has " + std::to_string(bytes) +
         " bytes in raw; expected a byte for each");
}

std::vector<std::string> ogb_files::splits() const {
  std::vector<std::string> names;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ + "/split", problem))
    if (entry.is_directory(problem)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

ogb_split ogb_files::split(std::string_view name, std::optional<std::string_view> set, std::int64_t count,
                           const char* of) const {
  const std::string ways = folder_ + "/split/" + std::string(name);
  if (name.empty() || !is_there(ways)) {
    std::string known;
    for (const std::string& way : splits()) known += (known.empty() ? "" : ", ") + in_quotes(way);
    fail("has no split " + in_quotes(name) + "; it has " + (known.empty() ? "none" : known));
  }
  const std::string place = set ? ways + "/" + std::string(*set) : ways;
  for (const char* file : {"split_dict.pt", "train.pt"})
    if (is_there(place + "/" + file) && !is_there(place + "/train.csv.gz")) refuse_pickled(place, file);
  const auto list = [&](const char* part) {
    std::string path = place + "/" + part + ".csv";
    if (!is_there(path)) path += ".gz";
    auto rows = read_number_list<std::int64_t>(ogb, path, empty_fields::are_refused);
    for (std::int64_t r = 0; r < rows.size(); ++r)
      if (rows(r) < 0 || rows(r) >= count)
        throw error(std::string(ogb) + " " + path + " row " + std::to_string(r + 1) + " is " + std::to_string(rows(r)) +
                    "; expected one of " + std::to_string(count) + " " + of);
    return rows;
  };
  return {list("train"), list("valid"), list("test")};
}

void ogb_files::check_rows(const std::string& what, std::int64_t rows, std::int64_t count, const char* of) const {
  if (rows != count)
    fail(what + " has " + std::to_string(rows) + " rows; expected " + std::to_string(count) + ", one for each " + of);
}

template tensor<float> ogb_files::rows<float>(std::string_view) const;
template tensor<std::int64_t> ogb_files::rows<std::int64_t>(std::string_view) const;
template tensor<std::int64_t> ogb_files::list<std::int64_t>(std::string_view) const;
template tensor<float> ogb_files::array<float>(std::string_view, std::string_view) const;
template tensor<std::int64_t> ogb_files::array<std::int64_t>(std::string_view, std::string_view) const;

}  // namespace stg::detail
