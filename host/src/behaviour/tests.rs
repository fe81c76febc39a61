//! The engine on small components written by hand, one fault each. Guests built
//! with the SDK run in the crate actorhost-tests.

use super::{instance::WasmInstance, *};
use actorhost_core::{ActorId, Crash, CrashKind, Envelope, ExitReason, Instance, Limits, Payload};
use actorhost_wire::schema::Schema;
use bytes::Bytes;

/// A behaviour whose `handle` is `handle` and whose `describe` begins with
/// `describe`, in the text format.
fn behaviour(describe: &str, handle: &str) -> String {
    let unit = Schema::of::<()>().unwrap().to_bytes();
    let schema: String = unit.iter().map(|byte| format!("\\{byte:02x}")).collect();
    include_str!("tests.wat")
        .replace("{describe}", describe)
        .replace("{handle}", handle)
        .replace("{schema}", &schema)
        .replace("{schema_bytes}", &unit.len().to_string())
}

fn bytes(text: &str) -> Bytes {
    wat::parse_str(text)
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
        .into()
}

fn engine() -> WasmEngine {
    WasmEngine::new(WasmConfig {
        cache_dir: None,
        live_max: 2,
    })
    .unwrap()
}

async fn deploy(text: &str) -> Result<WasmModule, DeployError> {
    engine().deploy(bytes(text)).await
}

async fn instance(handle: &str, limits: Limits) -> Result<WasmInstance, Crash> {
    let engine = engine();
    let module = engine.deploy(bytes(&behaviour("", handle))).await.unwrap();
    WasmInstance::new(&engine, &module, None, &limits).await
}

fn message(payload: &'static [u8]) -> Envelope {
    Envelope {
        sender: Some(ActorId(1)),
        wants_reply: true,
        payload: Payload::Message(Bytes::from_static(payload)),
    }
}

async fn handled(handle: &str) -> Result<Option<Bytes>, Crash> {
    let limits = Limits {
        fuel_per_turn: Some(5_000_000),
        ..Limits::default()
    };
    instance(handle, limits)
        .await?
        .handle(message(b"hello"))
        .await
}

async fn crash(handle: &str) -> Crash {
    handled(handle).await.expect_err("a crash")
}

#[tokio::test]
async fn a_behaviour_is_deployed_and_handles_messages() {
    let module = deploy(&behaviour(
        "",
        "(call $echo (local.get $ptr) (local.get $len))",
    ))
    .await;
    let module = module.unwrap();
    let Description {
        name,
        version,
        state_version,
        can_save,
        ..
    } = &**module.description();
    assert_eq!(
        (&**name, &**version, *state_version, *can_save),
        ("test", "0.1.0", 7, true)
    );
    assert_eq!(module.imports(), ["actorhost:actor/types@0.1.0"]);
    assert_eq!(module.info().digest.len(), 64);
    let reply = handled("(call $echo (local.get $ptr) (local.get $len))").await;
    assert_eq!(reply.unwrap().unwrap(), "hello");
    assert_eq!(handled("(call $nothing)").await, Ok(None));
}

#[tokio::test]
async fn a_life_is_begun_saved_loaded_and_ended() {
    let mut instance = instance("(call $nothing)", Limits::default())
        .await
        .unwrap();
    instance.init(Bytes::new()).await.unwrap();
    assert_eq!(instance.save().await.unwrap(), "state");
    instance
        .load(Bytes::from_static(b"state"), 1)
        .await
        .unwrap();
    let down = Payload::Down {
        who: ActorId(9),
        reason: ExitReason::Killed,
    };
    let envelope = Envelope {
        sender: None,
        wants_reply: false,
        payload: down,
    };
    assert_eq!(instance.handle(envelope).await, Ok(None));
    instance.stopping(&ExitReason::Shutdown).await.unwrap();
    assert_eq!(instance.memory_bytes(), 64 << 10);
}

#[tokio::test]
async fn refusals_carry_the_guests_words() {
    let mut first = instance("(call $nothing)", Limits::default())
        .await
        .unwrap();
    let crash = first.init(Bytes::from_static(b"no")).await.unwrap_err();
    assert_eq!(
        (crash.kind, crash.message.as_str()),
        (CrashKind::InitFailed, "refused")
    );
    let mut second = instance("(call $nothing)", Limits::default())
        .await
        .unwrap();
    let crash = second.load(Bytes::from_static(b"no"), 1).await.unwrap_err();
    assert_eq!(
        (crash.kind, crash.message.as_str()),
        (CrashKind::LoadFailed, "refused")
    );
}

#[tokio::test]
async fn a_bad_message_is_one() {
    let crash = crash("(call $bad_message)").await;
    assert_eq!(
        (crash.kind, crash.message.as_str()),
        (CrashKind::BadMessage, "refused")
    );
}

#[tokio::test]
async fn traps_are_named_with_their_functions() {
    let crash = crash("(call $fail) (i32.const 0)").await;
    assert_eq!(crash.kind, CrashKind::Trap);
    assert_eq!(crash.message, "`unreachable` was executed");
    assert_eq!(crash.backtrace, ["fail", "handle"]);
}

#[tokio::test]
async fn memory_out_of_bounds_is_a_trap() {
    for access in [
        "(i32.load (i32.const -4))",
        "(i32.load offset=4 (i32.const 65536))",
    ] {
        let crash = crash(access).await;
        assert_eq!(crash.kind, CrashKind::Trap, "{access}");
        assert!(crash.message.contains("out of bounds"), "{}", crash.message);
    }
}

#[tokio::test]
async fn endless_recursion_is_a_trap() {
    let crash = crash("(call $recurse) (i32.const 0)").await;
    assert_eq!(crash.kind, CrashKind::Trap);
    assert!(
        crash.message.contains("stack overflowed"),
        "{}",
        crash.message
    );
    assert_eq!(crash.backtrace.len(), 64);
}

#[tokio::test]
async fn a_loop_without_end_uses_up_its_fuel() {
    let crash = crash("(loop $again (br $again)) (i32.const 0)").await;
    assert_eq!(crash.kind, CrashKind::FuelExhausted);
    assert!(crash.message.contains("5000000"), "{}", crash.message);
}

#[tokio::test]
async fn a_loop_gives_way_again_and_again() {
    let limits = Limits {
        fuel_per_turn: None,
        ..Limits::default()
    };
    let mut instance = instance("(loop $again (br $again)) (i32.const 0)", limits)
        .await
        .unwrap();
    let mut call = Box::pin(instance.handle(message(b"")));
    for _ in 0..5 {
        let step = std::future::poll_fn(|cx| std::task::Poll::Ready(call.as_mut().poll(cx)));
        assert!(step.await.is_pending());
    }
}

#[tokio::test]
async fn each_turn_has_fuel_of_its_own() {
    let limits = Limits {
        fuel_per_turn: Some(10_000),
        ..Limits::default()
    };
    let mut instance = instance("(call $count_to (i32.const 1000)) (call $nothing)", limits)
        .await
        .unwrap();
    for _ in 0..10 {
        instance.handle(message(b"")).await.unwrap();
    }
}

#[tokio::test]
async fn a_trap_after_refused_memory_names_the_limit() {
    let grow = "(if (i32.eq (memory.grow (i32.const 1024)) (i32.const -1))
                  (then unreachable)) (i32.const 0)";
    let crash = crash(grow).await;
    assert_eq!(crash.kind, CrashKind::MemoryLimit);
    let message = "asked for 67174400 bytes of memory; the limit is 16777216";
    assert_eq!(crash.message, message);
}

#[tokio::test]
async fn a_guest_may_get_over_refused_memory() {
    let reply = handled("(drop (memory.grow (i32.const 1024))) (call $nothing)").await;
    assert_eq!(reply, Ok(None));
}

#[tokio::test]
async fn an_instance_over_its_memory_limit_is_not_made() {
    let limits = Limits {
        memory_bytes: 1_000,
        ..Limits::default()
    };
    let crash = instance("(call $nothing)", limits).await.err().unwrap();
    assert_eq!(crash.kind, CrashKind::MemoryLimit);
    assert!(crash.message.contains("1000"), "{}", crash.message);
}

#[tokio::test]
async fn too_long_replies_and_states_are_refused() {
    let limits = Limits {
        message_bytes: 4,
        ..Limits::default()
    };
    let echo = "(call $echo (local.get $ptr) (local.get $len))";
    let mut first = instance(echo, limits).await.unwrap();
    let crash = first.handle(message(b"hello")).await.unwrap_err();
    assert_eq!(crash.message, "the reply has 5 bytes; the limit is 4");
    let mut second = instance(echo, limits).await.unwrap();
    let crash = second.save().await.unwrap_err();
    assert_eq!(crash.kind, CrashKind::SaveFailed);
}

#[tokio::test]
async fn a_pointer_outside_memory_is_a_crash() {
    let crash = crash("(call $echo (i32.const -100) (i32.const 50))").await;
    assert_eq!(crash.kind, CrashKind::Trap);
    assert!(!crash.message.is_empty());
}

#[tokio::test]
async fn the_pool_is_bounded_and_says_so() {
    let engine = engine();
    let module = engine
        .deploy(bytes(&behaviour("", "(call $nothing)")))
        .await
        .unwrap();
    let mut live = Vec::new();
    let full = loop {
        match WasmInstance::new(&engine, &module, None, &Limits::default()).await {
            Ok(instance) => live.push(instance),
            Err(crash) => break crash,
        }
        assert!(live.len() < 1_000);
    };
    assert_eq!(full.kind, CrashKind::Instantiate);
    assert!(full.message.contains("no room"), "{}", full.message);
    live.pop();
    assert!(
        WasmInstance::new(&engine, &module, None, &Limits::default())
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn a_used_place_holds_nothing_of_its_last_instance() {
    let engine = engine();
    let remember = "(global.set $seen (i32.add (global.get $seen) (i32.const 1)))
        (i32.store8 (i32.const 60000) (i32.add (i32.load8_u (i32.const 60000)) (i32.const 1)))
        (if (i32.ne (i32.load8_u (i32.const 60000)) (global.get $seen)) (then unreachable))
        (if (i32.gt_u (global.get $seen) (i32.const 1)) (then unreachable))
        (call $nothing)";
    let module = engine
        .deploy(bytes(&behaviour("", remember)))
        .await
        .unwrap();
    for _ in 0..200 {
        let instance = WasmInstance::new(&engine, &module, None, &Limits::default()).await;
        assert_eq!(instance.unwrap().handle(message(b"")).await, Ok(None));
    }
}

#[tokio::test]
async fn describe_must_not_call_the_node() {
    let import = r#"(component
        (import "actorhost:actor/runtime@0.1.0" (instance $runtime
            (export "self-id" (func (result u64)))))
        (core func $self_id (canon lower (func $runtime "self-id")))
        (core instance $node (export "self-id" (func $self_id)))"#;
    let module = r#"(core module $m
        (import "node" "self-id" (func $self_id (result i64)))"#;
    let text = behaviour("(drop (call $self_id))", "(call $nothing)")
        .replacen("(component", import, 1)
        .replacen("(core module $m", module, 1)
        .replacen(
            "(instantiate $m)",
            r#"(instantiate $m (with "node" (instance $node)))"#,
            1,
        );
    match deploy(&text).await {
        Err(DeployError::DescribeCrashed { crash }) => {
            assert!(crash.message.contains("must not"), "{}", crash.message);
        }
        other => panic!("{:?}", other.err()),
    }
}

#[tokio::test]
async fn describe_is_bounded() {
    let grow = "(loop $again (br_if $again (i32.ne (memory.grow (i32.const 16)) (i32.const -1))))
                unreachable";
    for (describe, kind) in [
        ("unreachable", CrashKind::Trap),
        ("(loop $again (br $again))", CrashKind::FuelExhausted),
        (grow, CrashKind::MemoryLimit),
    ] {
        match deploy(&behaviour(describe, "(call $nothing)")).await {
            Err(error @ DeployError::DescribeCrashed { .. }) => {
                let DeployError::DescribeCrashed { crash } = &error else {
                    unreachable!()
                };
                assert_eq!(crash.kind, kind);
                assert_eq!(error.code(), "describe-crashed");
            }
            other => panic!("{describe}: {:?}", other.err()),
        }
    }
}

#[tokio::test]
async fn a_component_of_another_world_lists_what_it_lacks() {
    let error = deploy(
        r#"(component (core module $m (func (export "f")))
        (core instance $i (instantiate $m))
        (func (export "run") (canon lift (core func $i "f"))))"#,
    )
    .await
    .err()
    .unwrap();
    assert_eq!(error.code(), "other-world");
    let text = error.to_string();
    assert!(
        text.contains("`describe`, `init`, `handle`") && text.contains("`run`"),
        "{text}"
    );
}

#[tokio::test]
async fn an_unknown_import_is_named() {
    let import = r#"(component
        (import "wasi:http/types@0.2.0" (instance (export "f" (func))))"#;
    let text = behaviour("", "(call $nothing)").replacen("(component", import, 1);
    match deploy(&text).await {
        Err(DeployError::UnknownImport { imports }) => {
            assert_eq!(imports, ["wasi:http/types@0.2.0"]);
        }
        other => panic!("{:?}", other.err()),
    }
}

#[tokio::test]
async fn an_unknown_function_of_a_known_interface_is_named() {
    let import = r#"(component
        (import "actorhost:actor/runtime@0.1.0" (instance (export "fly" (func))))"#;
    let text = behaviour("", "(call $nothing)").replacen("(component", import, 1);
    let error = deploy(&text).await.err().unwrap();
    assert_eq!(error.code(), "wrong-import");
    assert!(error.to_string().contains("`fly`"), "{error}");
}

#[tokio::test]
async fn another_version_of_the_contract_is_told() {
    let text = behaviour("", "(call $nothing)").replace("types@0.1.0", "types@0.9.0");
    let error = deploy(&text).await.err().unwrap();
    assert_eq!(error.code(), "other-wit-version");
    assert!(error.to_string().contains("0.9.0") && error.to_string().contains(WIT_VERSION));
}

#[tokio::test]
async fn an_export_of_another_type_is_named() {
    let text = behaviour("", "(call $nothing)").replace(
        r#"(func (export "save") (result (result (list u8) (error string)))"#,
        r#"(func (export "save") (result (result string (error string)))"#,
    );
    match deploy(&text).await {
        Err(DeployError::WrongType { export, .. }) => assert_eq!(export, "save"),
        other => panic!("{:?}", other.err()),
    }
}

#[tokio::test]
async fn inspection_tells_what_can_be_told() {
    let good = inspect(bytes(&behaviour("", "(call $nothing)"))).await;
    assert_eq!(good.kind, Kind::Behaviour);
    assert_eq!(good.described.unwrap().name, "test");
    assert_eq!(good.wit_version.as_deref(), Some("0.1.0"));
    assert_eq!(good.exports.len(), 6);
    assert_eq!(good.problem, None);

    let other = inspect(bytes("(component)")).await;
    assert_eq!(other.kind, Kind::Component);
    assert_eq!(other.problem.unwrap().code, "other-world");

    let core = inspect(bytes("(module)")).await;
    assert_eq!(core.kind, Kind::CoreModule);
    assert!(
        core.problem
            .unwrap()
            .help
            .unwrap()
            .contains("wasm32-wasip2")
    );

    let text = inspect(Bytes::from_static(b"#!/bin/sh")).await;
    assert_eq!((text.kind, text.size_bytes), (Kind::Other, 9));
}

#[tokio::test]
async fn compiled_code_is_kept_and_a_damaged_entry_is_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let config = WasmConfig {
        cache_dir: Some(dir.path().into()),
        live_max: 1,
    };
    let module = bytes(&behaviour("", "(call $nothing)"));
    let entries = || {
        let mut found = Vec::new();
        let mut dirs = vec![dir.path().to_path_buf()];
        while let Some(dir) = dirs.pop() {
            for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
                if entry.file_type().unwrap().is_dir() {
                    dirs.push(entry.path());
                } else {
                    found.push(entry.path());
                }
            }
        }
        found
    };
    WasmEngine::new(config.clone())
        .unwrap()
        .deploy(module.clone())
        .await
        .unwrap();
    assert!(!entries().is_empty());
    for entry in entries() {
        std::fs::write(entry, b"damaged").unwrap();
    }
    WasmEngine::new(config)
        .unwrap()
        .deploy(module)
        .await
        .unwrap();
}
