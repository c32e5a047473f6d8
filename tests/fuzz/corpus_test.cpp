// Every file that fuzzing found worth keeping is read again, without a crash and without any error but the readers'
// own.
#include "readers.hpp"  // fuzz_npy

#include <gtest/gtest.h>  // TEST

#include <filesystem>  // recursive_directory_iterator
#include <fstream>     // ifstream
#include <iterator>    // istreambuf_iterator
#include <string>      // string

namespace stg::test {
namespace {

void replay(const std::string& name, void (*read)(std::string_view)) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(STG_FUZZ_CORPUS "/" + name)) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    SCOPED_TRACE(entry.path().string());
    EXPECT_NO_THROW(read(bytes));
    ++files;
  }
  EXPECT_GE(files, 5) << "a corpus that is not there tests nothing";
}

TEST(corpus, of_npy_files_is_read) { replay("npy", fuzz_npy); }
TEST(corpus, of_edge_lists_is_read) { replay("edge_list", fuzz_edge_list); }
TEST(corpus, of_tables_is_read) { replay("table", fuzz_table); }
TEST(corpus, of_data_sets_is_read) { replay("dataset", fuzz_dataset); }
TEST(corpus, of_signals_is_read) { replay("signal", fuzz_signal); }
TEST(corpus, of_folders_of_signals_is_read) { replay("signal_folder", fuzz_signal_folder); }
TEST(corpus, of_events_is_read) { replay("events", fuzz_events); }
TEST(corpus, of_graphs_of_several_kinds_is_made) { replay("kinds", fuzz_kinds); }
TEST(corpus, of_folders_of_several_kinds_is_read) { replay("kinds_folder", fuzz_kinds_folder); }
TEST(corpus, of_runs_is_loaded) { replay("checkpoint", fuzz_checkpoint); }
TEST(corpus, of_files_of_safetensors_is_read) { replay("safetensors", fuzz_safetensors); }
TEST(corpus, of_texts_of_programs_is_read) { replay("program_text", fuzz_program_text); }
TEST(corpus, of_graphs_is_sampled) { replay("sampling", fuzz_sampling); }
TEST(corpus, of_batches_is_loaded) { replay("loading", fuzz_loading); }
TEST(corpus, of_node_link_json_is_read) { replay("node_link", fuzz_node_link); }
TEST(corpus, of_named_vertices_is_read) { replay("named_vertices", fuzz_named_vertices); }
TEST(corpus, of_folders_of_many_graphs_is_read) { replay("tu", fuzz_tu); }
#ifdef STG_IO
TEST(corpus, of_folders_of_ogb_is_read) { replay("ogb", fuzz_ogb); }
TEST(corpus, of_data_sets_in_one_file_is_read) { replay("dataset_npz", fuzz_dataset_npz); }
TEST(corpus, of_npz_files_is_read) { replay("npz", fuzz_npz); }
TEST(corpus, of_packed_texts_is_read) { replay("gzip", fuzz_gzip); }
#endif
#ifdef STG_HDF5
TEST(corpus, of_files_of_hdf5_is_read) { replay("hdf5", fuzz_hdf5); }
#endif

}  // namespace
}  // namespace stg::test
