// All graph convolutions, each a few lines of the user's own language.
#pragma once

#include <stg/nn/conv/attention.hpp>      // gat gatv2 transformer
#include <stg/nn/conv/between_sets.hpp>   // sage gin gat gatv2 of a pair, rgcn, across_relations
#include <stg/nn/conv/gated.hpp>          // res_gated film
#include <stg/nn/conv/heterogeneous.hpp>  // han hgt
#include <stg/nn/conv/relational.hpp>     // rgcn
#include <stg/nn/conv/spatial.hpp>        // sage graph gin gine pna
#include <stg/nn/other_names.hpp>         // GCNConv and others
#include <stg/nn/conv/spectral.hpp>       // gcn cheb tag sgc appnp arma
