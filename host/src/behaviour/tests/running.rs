//! Calls into an instance, and the crashes that end them.

use super::{super::instance::WasmInstance, behaviour, bytes, engine};
use actorhost_core::{
    ActorId, AskError, Crash, CrashKind, Envelope, ExitReason, Instance, Limits, Payload,
};
use bytes::Bytes;

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
async fn a_reply_is_what_the_guest_gives() {
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

/// Handles a payload with a behaviour that traps unless `right` holds of it.
async fn heard(payload: Payload, right: &str) {
    let handle = format!("(if (i32.eqz {right}) (then unreachable)) (call $nothing)");
    let mut instance = instance(&handle, Limits::default()).await.unwrap();
    let envelope = Envelope {
        sender: None,
        wants_reply: false,
        payload,
    };
    assert_eq!(instance.handle(envelope).await, Ok(None), "{right}");
}

#[tokio::test]
async fn an_end_is_heard_with_its_crash() {
    let who = ActorId(9);
    let crash = Crash {
        kind: CrashKind::Linked,
        message: "by a friend".into(),
        backtrace: vec!["a".into(), "b".into()],
    };
    let reason = ExitReason::from(crash);
    let is = |case, kind: &str| {
        format!(
            "(i32.and
               (i32.and (i32.eq (local.get 3) (i32.const {case}))
                        (i64.eq (local.get 4) (i64.const 9)))
               (i32.and (i32.eq (local.get $len) (i32.const 3)) {kind}))"
        )
    };
    let (kind, message, backtrace) = ("linked".len(), "by a friend".len(), 2);
    let crash = format!(
        "(i32.and (i64.eq (local.get 7) (i64.const {kind}))
                  (i32.and (i32.eq (local.get 9) (i32.const {message}))
                           (i32.eq (local.get 11) (i32.const {backtrace}))))"
    );
    let down = Payload::Down {
        who,
        reason: reason.clone(),
    };
    heard(down, &is(1, &crash)).await;
    heard(Payload::Exit { who, reason }, &is(2, &crash)).await;
}

#[tokio::test]
async fn a_later_reply_is_heard_by_the_number_of_its_question() {
    let is = |result: u32, value: &str| {
        format!(
            "(i32.and
               (i32.and (i32.eq (local.get 3) (i32.const 3))
                        (i64.eq (local.get 4) (i64.const 5)))
               (i32.and (i32.eq (local.get $len) (i32.const {result})) {value}))"
        )
    };
    let answered = Payload::Reply {
        ask: 5,
        outcome: Box::new(Ok(Bytes::from_static(b"yes"))),
    };
    heard(answered, &is(0, "(i64.eq (local.get 7) (i64.const 3))")).await;
    let failed = Payload::Reply {
        ask: 5,
        outcome: Box::new(Err(AskError::Stopped)),
    };
    heard(failed, &is(1, "(i32.eq (local.get 6) (i32.const 2))")).await;
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
