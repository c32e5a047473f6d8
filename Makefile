# The door of the repository: each target says what it does and leaves the work to CMake and to scripts/.
JOBS ?= $(shell n=$$(nproc); [ $$n -ge 2 ] && echo $$n || echo 2)
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)

# Datasets lie beside the checkout unless STG_DATA_DIR says otherwise.
ifndef STG_DATA_DIR
ifneq ($(wildcard ../shared/data/.),)
export STG_DATA_DIR := $(abspath ../shared/data)
endif
endif

# Words for the comparison's own arguments, or the GPU's: make bench-peers ARGUMENTS='--only gat:cora --repetitions 15'
ARGUMENTS ?=

.PHONY: help demo test proof bench bench-peers bench-report peers-formats peers-weights gpu gpu-programs golden site format tidy
help:
	@echo 'make demo     train a graph convolutional network on Cora (installs what is missing)'
	@echo 'make test     build and run all tests (installs what is missing)'
	@echo 'make proof    the same in full, under sanitizers and fuzzers; writes docs/proof.md (hours; STAGES=fuzz runs one stage)'
	@echo 'make bench    build and run the benchmarks'
	@echo 'make bench-peers   measure stg beside PyTorch, PyTorch Geometric and DGL (installs them in build/peers)'
	@echo 'make bench-report  write what that says: build/peers/report.html and the tables of docs/performance.md'
	@echo 'make peers-formats  hold logs and data in other formats to the libraries that read them (installs them in build/formats)'
	@echo 'make peers-weights  hold files of weights to the libraries that write them (installs them in build/weights)'
	@echo 'make gpu OUT=folder  on a machine with an NVIDIA GPU: build for it, run the tests of devices and the benchmark beside'
	@echo '              cuSPARSE and PyTorch Geometric (under 8 minutes, no network); logs, results.json and table.md in OUT'
	@echo 'make gpu-programs OUT=folder  on any machine with the CUDA toolkit: the programs of make gpu alone, for'
	@echo '              make gpu OUT=results PROGRAMS=folder on one that has the GPU (ARCHITECTURES=90 is the GPU'"'"'s)'
	@echo 'make golden   write anew what programs write: golden texts, docs/operations.md, docs/layers_sheet.md, docs/errors.md, forms of the library'"'"'s'
	@echo '              kernels; read the difference before you commit it'
	@echo 'make site     make the site of docs/, with a reference and a gallery, in build/site/html: opened from disk, no server'
	@echo 'make format   lay out all sources as .clang-format says'
	@echo 'make tidy     run clang-tidy over the compiled sources'

demo:
	@scripts/install-packages.sh demo
	@mkdir -p build
	@cmake --preset release >build/demo.log 2>&1 || { cat build/demo.log; exit 1; }
	@cmake --build --preset release --target 01_gcn
	@OMP_WAIT_POLICY=passive build/release/examples/01_gcn --dataset auto  # spinning threads starve on a busy machine

test:
	@scripts/install-packages.sh test
	@scripts/install-python.sh
	cmake --preset dev
	@python3 scripts/test.py dev $(JOBS); code=$$?; python3 tests/proof/age.py; exit $$code

# Which stages, all when none is named: make proof STAGES='fuzz errors'. Words for the build: make proof PROOF='-DSTG_PROGRAM_SEED=2'
STAGES ?=
PROOF ?=
proof:
	@scripts/install-packages.sh proof
	@scripts/install-python.sh
	@python3 tests/proof/stages.py --jobs $(JOBS) $(PROOF:%=--define=%) $(STAGES)

bench:
	@scripts/install-packages.sh test
	cmake --preset release
	cmake --build --preset release --target benchmarks
	@for b in build/release/bench/bench_*; do [ ! -x $$b ] || $$b || exit 1; done

bench-peers:
	@scripts/install-packages.sh peers
	cmake --preset release
	cmake --build --preset release --target peers_driver
	@python3 bench/peers/install.py build/peers
	@build/peers/venv/bin/python bench/peers/run.py build/peers build/release/bench/peers/driver/peers_driver $(ARGUMENTS)

peers-weights:
	@scripts/install-packages.sh peers
	cmake --preset dev
	cmake --build --preset dev --target safetensors_copy pyg_layers
	@python3 tests/weights/run.py build/weights build/dev/tests/weights

peers-formats:
	@scripts/install-packages.sh peers
	cmake --preset dev
	cmake --build --preset dev --target formats
	@python3 tests/formats/run.py build/formats build/dev/tests/formats

bench-report:
	@python3 bench/report/report.py build/peers/results.json build/peers/report.html docs/performance.md

# What was built, where git cannot say: make gpu OUT=folder COMMIT=v0.1
# Programs that were built elsewhere: make gpu-programs OUT=folder ARCHITECTURES=90, then make gpu OUT=results PROGRAMS=folder
OUT ?=
COMMIT ?=
PROGRAMS ?=
ARCHITECTURES ?= 90
gpu:
	@[ -n "$(OUT)" ] || { echo 'gpu: write make gpu OUT=folder; the folder gets logs, results.json and table.md' >&2; exit 2; }
	@python3 bench/gpu/gpu.py "$(OUT)" $(if $(COMMIT),--commit "$(COMMIT)") $(if $(PROGRAMS),--programs "$(PROGRAMS)") $(ARGUMENTS)

gpu-programs:
	@[ -n "$(OUT)" ] || { echo 'gpu-programs: write make gpu-programs OUT=folder' >&2; exit 2; }
	cmake --preset gpu "-DSTG_CUDA_ARCHITECTURES=$(ARCHITECTURES)"
	cmake --build build/gpu --target on_device_programs
	cmake --install build/gpu --component on_device --strip --prefix "$$(realpath -m "$(OUT)")"

golden:
	@scripts/install-packages.sh test
	cmake --preset dev
	cmake --build --preset dev --target library_keys  # first: where the list of operations moved, the library waits for it
	cmake --build --preset dev --target golden operations_page layers_sheet_page
	@python3 tests/errors/catalogue.py

site:
	@scripts/install-packages.sh site
	@/usr/bin/python3 scripts/site/site.py build/site

format:
	@scripts/format.sh --write

tidy:
	@scripts/install-packages.sh test
	cmake --preset dev -B build/tidy -DSTG_JOINED_TESTS=OFF -DSTG_UNITY_BUILD=OFF  # a command for each file
	scripts/tidy.sh build/tidy
