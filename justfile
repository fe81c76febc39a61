# Everyday acts, each one line over cargo.

# Everything that ships, guests included.
build:
    cargo build --release --workspace
    cargo build --release --target wasm32-wasip2 -p fleet-aircraft-v1 -p fleet-aircraft-v2 -p bank-account

# The fleet example: the README's quick start.
demo:
    cargo run --release --bin fleet

# The README's tests.
test:
    cargo test --release --workspace

# Every interleaving of the actor's scheduling word.
loom:
    RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=target/loom cargo test --release -p actorhost-core --lib loom_

# Many more simulated worlds than the tests run: `just simulate 0..1000000`.
simulate seeds="0..200000":
    ACTORHOST_SEEDS={{seeds}} cargo test --release -p actorhost-core --test simulation --test semantics --test queues --test trees --test lives

# Benchmarks on real guests, as a table; `just bench --json out.json` writes JSON too.
bench *args:
    cargo run --release -p actorhost-bench -- {{args}}

# Instructions that the machine itself, without a sandbox, spends on a message.
instructions:
    cargo build --release -p actorhost-core --example message_path
    for workload in tell ask nested-ask; do \
        for messages in 2000 12000; do \
            valgrind --tool=callgrind --callgrind-out-file=/dev/null target/release/examples/message_path $workload $messages 2>&1 | awk '/Collected/ {print $4}'; \
        done | awk -v workload=$workload 'NR == 1 {few = $1} NR == 2 {print workload, int(($1 - few) / 10000)}'; \
    done

# Each fuzz target for so many seconds.
fuzz seconds="60":
    fuzz/run.sh {{seconds}}

lint:
    cargo fmt --all --check
    cargo clippy --release --workspace --all-targets -- -D warnings

fmt:
    cargo fmt --all

doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --workspace

# Random worlds of the machine for so many minutes, each simulation; a failing seed is
# printed and replays with `just simulate SEED..SEED+1`.
soak minutes="30" from="100000":
    ACTORHOST_SEEDS={{from}}..{{from}} ACTORHOST_SOAK_MINUTES={{minutes}} cargo test --release -p actorhost-core --test simulation --test semantics --test queues --test trees --test lives -- --nocapture
