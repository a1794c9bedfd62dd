#!/usr/bin/env bash
# Installs the foreign hosts and generators of tests/lab into .lab; where it cannot, says so, and their tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=$(cat tests/lab/package.json tests/lab/requirements.txt | sha256sum)
if [ "$(cat .lab/stamp 2>/dev/null)" = "$wanted" ]; then exit 0; fi

skip() {
  printf 'clarion: %s; the tests with foreign hosts are skipped\n' "$1" >&2
  exit 0
}
command -v npm >/dev/null || skip 'npm is not here'
printf 'clarion: installing foreign hosts for the tests\n' >&2
rm -rf .lab
mkdir -p .lab/node
cp tests/lab/package.json .lab/node/
(cd .lab/node && npm install --no-audit --no-fund --no-package-lock --ignore-scripts --loglevel=error >npm.log 2>&1) &
node=$!
python3 -m venv .lab/python
.lab/python/bin/pip install --quiet --disable-pip-version-check -r tests/lab/requirements.txt >.lab/pip.log 2>&1 || skip 'pip could not install them'
wait "$node" || skip 'npm could not install them'
printf '%s\n' "$wanted" >.lab/stamp
