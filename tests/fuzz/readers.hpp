// What a fuzzer calls and what replays its corpus: bytes as the files that stg reads.
#pragma once

#include <string_view>  // string_view

namespace stg::test {

// Each writes the bytes to a folder of its own and reads them back. Readers refuse with stg::error; whatever else they
// throw comes out, and the sanitizers that these are compiled with end the program over what must not be touched.

/// One .npy file, read as every type, exactly and converted.
void fuzz_npy(std::string_view bytes);
/// One text of edges; where it is small and accepted, its graph is built.
void fuzz_edge_list(std::string_view bytes);
/// A table, whose format is that of the first byte: 3 bits of separator, a header, a comment, a decimal comma.
void fuzz_table(std::string_view bytes);
/// A data set's folder. A record is a file: its name and type, a byte each, a count, and so many elements; see records.
void fuzz_dataset(std::string_view bytes);
/// JSON, as a signal over one graph and over one that changes; what is accepted is made into graphs and windows.
void fuzz_signal(std::string_view bytes);
/// The same of a folder, whose records are those of a data set, with up to three axes.
void fuzz_signal_folder(std::string_view bytes);
/// Events as text, whose format is that of the first byte, and as an array; a sequence of graphs is made of them.
void fuzz_events(std::string_view bytes);

/// Graphs of several kinds, changed step by step and put side by side. A step is a byte for the change, one for a name,
/// and further ones that the change needs: see kinds.cpp.
void fuzz_kinds(std::string_view bytes);
/// A folder of a graph of several kinds: a line of JSON, then records as those of a data set's, with up to three axes.
/// What is accepted is written and read again.
void fuzz_kinds_folder(std::string_view bytes);

/// The folder of a run, whose records are those of a data set, with up to three axes: parameters and the states of an
/// optimiser, of a plateau and of early stopping, of which a load that is refused changes none.
void fuzz_checkpoint(std::string_view bytes);

/// A file of safetensors: its bytes as they are where the first byte is even; otherwise the bytes up to the last } are
/// the header, whose length is put in front. What is accepted is written and read again, and loaded as the state of a
/// run.
void fuzz_safetensors(std::string_view bytes);

/// The text of a program. What is accepted is written and read again.
void fuzz_program_text(std::string_view bytes);

/// An .npz file, all of its arrays read as several types: the bytes themselves, or, behind an odd first byte, the bytes
/// as its one array.
void fuzz_npz(std::string_view bytes);
/// A text packed by gzip, read as a table and as edges: the bytes themselves, or, behind an odd first byte, packed
/// ones.
void fuzz_gzip(std::string_view bytes);

/// networkx's node-link JSON: what is accepted is written, and read again.
void fuzz_node_link(std::string_view bytes);
/// Edges whose vertices are words, and events as a JSON object on each line.
void fuzz_named_vertices(std::string_view bytes);
/// A folder of TU Dortmund's collection, as texts between bytes of 0, the first byte of each its file.
void fuzz_tu(std::string_view bytes);
/// A folder of OGB, likewise, read as one of one kind and of several.
void fuzz_ogb(std::string_view bytes);
/// One of PyG's data sets in an .npz file. A record is an array: its name, whether it is a matrix of rows of two, a
/// count, and so many integers of a byte.
void fuzz_dataset_npz(std::string_view bytes);

/// Files of HDF5. A record is an attribute or a dataset: see hdf5.cpp. What is read is what HDF5's library wrote.
void fuzz_hdf5(std::string_view bytes);

/// A graph and one of its samplers, a byte each that says which, how many vertices and edges; then the ends of these,
/// what the sampler is told, and seeds: see sampling.cpp.
void fuzz_sampling(std::string_view bytes);
/// Two graphs, and two loaders of the first, of its batches or of the other's: options, rows and epochs, see
/// loading.cpp.
void fuzz_loading(std::string_view bytes);

}  // namespace stg::test
