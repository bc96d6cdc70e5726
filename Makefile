# The front door. Every target sets up what it needs and is safe to repeat.
#
# Test data: HEADRACE_DATA=DIR adds the tests on real data; without it they are skipped and counted as skipped.
# Python tests find the command as HEADRACE_COMMAND.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

root := $(CURDIR)
python := $(root)/.venv/bin/python
results := $(root)/build-dev/results
pytest := env HEADRACE_COMMAND=$(root)/build-dev/headrace PYTHONPATH=$(root)/build-dev/python PYTHONDONTWRITEBYTECODE=1

.PHONY: help setup build demo test test-interop test-long bench docs docs-check check clean dev

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what building and testing needs; says in one line what it can not get
	@tools/setup

build: setup ## release build: the command at build/headrace, the Python package in .venv
	@echo "build: the command, into build/ (minutes the first time)"
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target headrace headrace_command
	@$(MAKE) .venv/headrace-installed

# ccache makes the second compilation of the same sources cheap: compiler, by name, and flags are those of the release preset.
.venv/headrace-installed: build/src/libheadrace.so pyproject.toml $(wildcard python/CMakeLists.txt python/src/* python/headrace/*)
	@echo "build: the Python package, into .venv (minutes the first time)"
	@CXX=$$(sed -n 's/^CMAKE_CXX_COMPILER:[^=]*=//p' build/CMakeCache.txt) \
	  $(python) -m pip install -q --disable-pip-version-check --root-user-action=ignore --no-build-isolation --no-deps \
	  --force-reinstall . --config-settings=cmake.define.HEADRACE_WERROR=ON --config-settings=cmake.define.CMAKE_CXX_COMPILER_LAUNCHER=ccache
	@cd / && $(python) -c 'import headrace; print("headrace", headrace.__version__, "is in .venv")'
	@touch $@

demo: build ## set up, build and run the main job on text that Debian packages carry
	@examples/demo/run

dev: setup
	cmake --preset dev >/dev/null
	cmake --build --preset dev

check: setup ## layout, layers, sources, Python; sizes are listed only
	tools/check_format
	tools/check_layers
	tools/check_sources
	tools/check_python
	tools/check_size

test: check dev ## set up, build with assertions on, run all tests
	@mkdir -p $(results); rm -f $(addprefix $(results)/,ctest.xml pytest.xml e2e.xml)
	status=0; \
	ctest --preset dev -LE long --output-junit $(results)/ctest.xml || status=1; \
	$(pytest) $(python) -m pytest --junitxml $(results)/pytest.xml || status=1; \
	$(pytest) $(python) -m pytest tests/e2e --junitxml $(results)/e2e.xml || status=1; \
	exit $$status

test-interop: dev ## the tests against other projects' readers, writers, servers and a browser, in environments of their own
	@mkdir -p $(results); rm -f $(results)/interop*.xml
	status=0; \
	for suite in tests/interop/run tests/interop/*/run; do \
	  name=$$(dirname $$suite); name=$${name#tests/}; \
	  $(pytest) $$suite --junitxml $(results)/$${name//\//-}.xml || status=1; \
	done; \
	exit $$status

test-long: setup ## minutes to hours: the tests labelled long, then all tests with the sanitizers
	@$(MAKE) dev
	ctest --preset dev -L long --no-tests=ignore
	HEADRACE_LONG=1 $(pytest) tests/interop/mindspore/run -k real_articles
	cmake --workflow --preset asan
	cmake --workflow --preset tsan

bench: setup ## release build of the benchmarks, then run them
	cmake --preset release
	cmake --build --preset release
	for program in $$(find build/bench -name '*_bench' -type f | sort); do echo "== $$program"; $$program; done
	for script in bench/flow/*.py; do echo "== $$script"; $(python) $$script --command build/headrace; done

docs: dev ## regenerate docs/reference and the Python stub
	$(pytest) $(python) tools/make_docs

docs-check: dev ## fail if they differ from what is checked in
	$(pytest) $(python) tools/make_docs --check

clean: ## remove everything that was built; .venv, downloads in .cache and installed packages stay
	rm -rf build build-* dist .pytest_cache .mypy_cache .ruff_cache
	rm -f .venv/headrace-installed
