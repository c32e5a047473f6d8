// All recurrent cells: a step each, which a scan repeats.
#pragma once

#include <stg/nn/recurrent/convolved.hpp>     // gconv_gru dcrnn gconv_lstm gc_lstm lrgcn
#include <stg/nn/recurrent/encoders.hpp>      // dygr_encoder mpnn_lstm
#include <stg/nn/recurrent/evolving.hpp>      // evolve_gcn_o evolve_gcn_h
#include <stg/nn/recurrent/filters.hpp>       // chebyshev diffusion relational gated_graph
#include <stg/nn/recurrent/sequence.hpp>      // gru lstm
#include <stg/nn/recurrent/st_conv.hpp>       // st_conv
#include <stg/nn/recurrent/temporal_gcn.hpp>  // tgcn a3tgcn
