#!/usr/bin/env bash
# Pins what pyproject.toml allows, for every platform and Python, with hashes and without addresses.
set -euo pipefail
cd "$(dirname "$0")/.."

uv=$(command -v uv || echo .venv/bin/uv)
if [ ! -x "$uv" ]; then .venv/bin/python -m pip install --quiet uv; fi

pin() {
  local file=$1
  shift
  {
    echo "# Pinned by \`make lock\`; edit pyproject.toml instead."
    "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
      --no-emit-index-url --no-emit-find-links --no-header --no-annotate --upgrade "$@"
  } > "$file.new"
  mv "$file.new" "$file"
}

pin requirements/run.txt pyproject.toml --all-extras
pin requirements/build.txt --group build --constraint requirements/run.txt
pin requirements/dev.txt --group dev --constraint requirements/run.txt --constraint requirements/build.txt
