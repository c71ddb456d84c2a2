# The commands of this project. Each says what it does; `make help` lists them.
BUILD ?= build/release
JOBS ?= $(shell nproc)

.PHONY: help setup build test demo bench format fuzz clean
help:
	@echo "make build   set up and build build/release/noema"
	@echo "make demo    from nothing to a verified run on real photographs"
	@echo "make test    build and run every test that this machine can run"
	@echo "make bench   benchmarks, with ratios against NumPy in the same run"
	@echo "make fuzz    fuzz every reader for FUZZ_SECONDS (60) each"
	@echo "make format  clang-format every source file"

setup:
	@scripts/setup.sh

build: setup
	@cmake --preset release >/dev/null
	@cmake --build build/release -j $(JOBS)

test: build
	@scripts/test.sh

demo: build
	@scripts/demo.sh

bench: setup
	@scripts/bench.sh

fuzz: setup
	@scripts/fuzz.sh

format:
	@git ls-files '*.cpp' '*.h' | xargs clang-format -i

clean:
	rm -rf build
