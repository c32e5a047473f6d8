"""Plain PyTorch: the sparse products that it ships, and a graph convolution written with them."""
import torch
import torch.nn.functional as F

from work import Epoch, Layer, drop, edges, load, sparse_rows

VERSIONS = {"mkl": str(torch.backends.mkl.is_available())}

# The layout of the matrix and the product: CSR goes to MKL, `reduce` to PyTorch's own loop.
PRODUCTS = {
    "csr": lambda a, x: a @ x,
    "coo": torch.sparse.mm,
    "reduce": lambda a, x: torch.sparse.mm(a, x, "sum"),
}


def variants(case):
    kind, graph, _, _ = case
    if kind == "sum":
        return ["csr", "coo", "reduce"]
    if kind == "gcn":
        return ["csr", "reduce", "csr_sparse_x"] if graph == "cora" else ["csr", "reduce"]
    return []


def matrix(src, dst, values, vertices, layout):
    """Row = destination, column = source."""
    coo = torch.sparse_coo_tensor(torch.stack([dst, src]), values, (vertices, vertices)).coalesce()
    return coo if layout == "coo" else coo.to_sparse_csr()


def prepare(case, variant, folder):
    kind, graph, _, when = case
    product = variant.split("_")[0]
    src, dst = edges(folder)
    x = load(folder, "x")
    if kind == "sum":
        a = matrix(src, dst, load(folder, "w"), len(x), product)
        cotangent = load(folder, "cotangent") if when == "both" else None
        return Layer(lambda rows: PRODUCTS[product](a, rows), {"x": x}, cotangent)
    scale = torch.bincount(dst, minlength=len(x)).float().rsqrt()
    a = matrix(src, dst, scale[src] * scale[dst], len(x), product)
    p = {name: load(folder, name).requires_grad_(True) for name in ("W1", "b1", "W2", "b2")}
    rate = 0.5 if graph == "cora" else 0.0

    def model(x, training):
        h = F.relu(PRODUCTS[product](a, drop(x, rate, training) @ p["W1"]) + p["b1"])
        return PRODUCTS[product](a, drop(h, rate, training) @ p["W2"]) + p["b2"]

    if variant.endswith("_sparse_x"):
        x = sparse_rows(x, "csr")
    return Epoch(model, {name: (t, lambda g: g) for name, t in p.items()}, folder, x)
