//! The contract with guests, as wasmtime generates it from `wit/`: the traits that
//! `host_runtime` implements and the values that come back from a guest. What goes
//! into a guest is in `calls`, borrowed, so that no payload is copied twice.
#![allow(
    missing_docs,
    reason = "generated from wit/actor.wit, which documents each item"
)]

wasmtime::component::bindgen!({
    path: "../wit",
    world: "actor",
    imports: {
        "actorhost:actor/runtime.tell": async | trappable,
        "actorhost:actor/runtime.ask": async | trappable,
        "actorhost:actor/runtime.start-child": async | trappable,
        "actorhost:actor/runtime.terminate-child": async | trappable,
        "actorhost:actor/runtime.restart-child": async | trappable,
        "actorhost:actor/runtime.delete-child": async | trappable,
        "actorhost:actor/runtime.count-children": async | trappable,
        default: trappable,
    },
    exports: { default: async },
});

pub(super) use self::actorhost::actor::{runtime, types};
