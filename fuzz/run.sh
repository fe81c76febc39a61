#!/bin/sh
# Runs each fuzz target for so many seconds: fuzz/run.sh SECONDS [TARGET…]
# Brings the nightly toolchain and cargo-fuzz when they are missing. What a run finds
# is left in fuzz/artifacts, what it learns in fuzz/corpus.
set -eu

seconds=${1:?usage: fuzz/run.sh SECONDS [TARGET…]}
shift
cd "$(dirname "$0")"

if ! cargo +nightly --version >/dev/null 2>&1; then
    echo "fuzz: installing the nightly toolchain" >&2
    rustup toolchain install nightly --profile minimal
fi
if ! cargo fuzz --version >/dev/null 2>&1; then
    echo "fuzz: installing cargo-fuzz" >&2
    cargo install cargo-fuzz --locked
fi

# Kept apart from the workspace's: it is another compiler with other flags.
export CARGO_TARGET_DIR="$PWD/target"
[ $# -gt 0 ] || set -- message_decoder manifest http_body
for target; do
    echo "fuzz: $target for $seconds s" >&2
    mkdir -p "corpus/$target"
    cargo +nightly fuzz run --fuzz-dir . "$target" "corpus/$target" "seeds/$target" -- \
        -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 -print_final_stats=1
done
