// How the page of a program looks: light or dark as the reader's system is, on a screen of any width.
#pragma once

namespace stg::detail {

inline constexpr const char* page_style = R"(
:root {
  color-scheme: light dark;
  --ground: #f6f6f4; --card: #fff; --line: #dddcd7; --text: #1c1e21; --dim: #63676b; --accent: #1f6fb2;
  --vertex: #cfe6f7; --edge: #fbd9c8; --graph: #e6e6e3; --bar: #4d8fcc; --over: #a9cbe9; --total: #c2571a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --card: #1c2024; --line: #343a40; --text: #e4e6e8; --dim: #9aa1a8; --accent: #6db3ec;
    --vertex: #1f4361; --edge: #66402c; --graph: #3a3f44; --bar: #4d8fcc; --over: #2c5578; --total: #d9773f;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
header, main { max-width: 84rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1.75rem; }
h1 { font-size: 1.7rem; margin: 0; letter-spacing: -.01em; }
h2 { font-size: 1.15rem; margin: 0 0 .6rem; }
nav { margin: .4rem 0 1.2rem; }
nav a { color: var(--accent); text-decoration: none; margin-right: 1.1rem; white-space: nowrap; }
nav a:hover { text-decoration: underline; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.1rem 1.25rem;
  margin: 0 0 1.1rem; }
pre, table { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
svg { font: 11.5px monospace; }  /* boxes are as wide as its letters */
pre { margin: .3rem 0; overflow-x: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
td { padding: .12rem 1rem .12rem 0; white-space: pre; vertical-align: top; border-top: 1px solid var(--line); }
td:first-child { padding-left: .6rem; border-left: 4px solid transparent; }
tr.vertex td:first-child { border-left-color: var(--vertex); }
tr.edge td:first-child { border-left-color: var(--edge); }
tr.graph td:first-child { border-left-color: var(--graph); }
tr:hover td { background: color-mix(in srgb, var(--accent) 9%, transparent); }
summary { cursor: pointer; font-weight: 600; margin: .45rem 0; }
summary::marker { color: var(--dim); }
details details { margin-left: 1rem; }
.tiles { display: flex; flex-wrap: wrap; gap: .7rem; margin: 0 0 .9rem; }
.tile { border: 1px solid var(--line); border-radius: 8px; padding: .45rem .8rem; min-width: 8.5rem; }
.tile b { display: block; font-size: 1.15rem; font-variant-numeric: tabular-nums; }
.tile span, .legend { color: var(--dim); font-size: .85rem; }
.legend i { display: inline-block; width: .95em; height: .95em; border-radius: 3px; margin: 0 .35em 0 .9em;
  vertical-align: -.1em; border: 1px solid var(--line); }
.legend i:first-child { margin-left: 0; }
.picture { overflow: auto; max-height: 85vh; border: 1px solid var(--line); border-radius: 8px; margin: .4rem 0; }
.picture text:not([fill]) { fill: var(--text); }
rect.vertex, i.vertex { fill: var(--vertex); background: var(--vertex); }
rect.edge, i.edge { fill: var(--edge); background: var(--edge); }
rect.graph, i.graph { fill: var(--graph); background: var(--graph); }
rect.bar, i.bar { fill: var(--bar); background: var(--bar); }
rect.over, i.over { fill: var(--over); background: var(--over); }
rect.total, i.total { fill: var(--total); background: var(--total); }
g:hover > rect, rect.bar:hover, rect.over:hover, rect.total:hover { filter: brightness(1.12); }
.picture line { stroke: var(--line); }
@media (max-width: 50rem) {
  header, main { padding: 0 .7rem; }
  section { padding: .8rem; border-radius: 8px; }
  pre, table { font-size: 11.5px; }
}
@media print { body { background: none; } section { break-inside: avoid; } .picture { max-height: none; } }
)";

}  // namespace stg::detail
