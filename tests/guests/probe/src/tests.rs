use super::*;
use actorhost_sdk::testing::{self, MockNode, TestActor};

const OTHER: ActorRef = ActorRef::from_raw(2);

fn probe() -> TestActor<Probe> {
    TestActor::start(&Args::default()).unwrap()
}

fn echo(text: &str) -> Message {
    Message::Echo { text: text.into() }
}

#[test]
fn notes_out_of_order_are_counted() {
    let mut probe = probe();
    for seq in [1, 2, 4, 3] {
        probe.tell(&Message::Note { from: 7, seq }).unwrap();
    }
    let report = SenderReport {
        from: 7,
        count: 4,
        last_seq: 3,
        out_of_order: 2,
    };
    assert_eq!(probe.ask(&Message::Report), Ok(Reply::Report(vec![report])));
}

#[test]
fn only_what_was_flushed_outlives_a_panic() {
    let mut probe = probe();
    probe
        .ask(&Message::FlushThenPanic { to: OTHER })
        .unwrap_err();
    assert_eq!(probe.node().tells(), [(OTHER, echo("flushed"))]);
}

#[test]
fn an_ask_releases_what_was_told_before() {
    let mut probe = probe();
    probe.node().will_reply(&Reply::Text("asked".into()));
    let to = OTHER;
    probe
        .ask(&Message::AskThenPanic { to, timeout_ms: 5 })
        .unwrap_err();
    assert_eq!(probe.node().tells(), [(OTHER, echo("before"))]);
    assert_eq!(probe.node().asks(), [(OTHER, echo("asked"))]);
}

#[test]
fn a_failing_init_says_why() {
    let node = MockNode::new();
    node.register("/blocker", OTHER);
    let path = "/blocker".to_owned();
    let args = Args {
        fault: Some(InitFault::FailWhile { path }),
        ..Args::default()
    };
    let error = TestActor::<Probe>::start_on(node, &args).err();
    assert_eq!(error.as_deref(), Some("/blocker is alive"));
}

#[test]
fn the_state_survives_a_save_and_what_is_of_the_instance_does_not() {
    let mut probe = probe();
    probe.tell(&Message::Add { n: 5 }).unwrap();
    let bytes = testing::save(probe.state()).unwrap();
    let loaded: Probe =
        testing::load(&bytes, <Probe as actorhost_sdk::Behaviour>::STATE_VERSION).unwrap();
    assert_eq!(loaded.memory.total, 5);
    assert_eq!(loaded.memory.token, probe.state().memory.token);
    assert_eq!(loaded.turns_here, 0);
}

#[test]
fn a_save_can_be_made_to_fail() {
    let mut probe = probe();
    let fault = Fault::Refuse;
    probe.tell(&Message::FailSave { fault }).unwrap();
    assert!(testing::save(probe.state()).is_err());
}

#[cfg(feature = "v2")]
#[test]
fn the_second_version_takes_the_first_ones_state_unless_told_not_to() {
    let mut memory = Memory {
        total: 9,
        ..Memory::default()
    };
    let bytes = actorhost_sdk::encode(&memory).unwrap();
    let probe: Probe = testing::load(&bytes, 1).unwrap();
    assert_eq!((probe.memory.total, probe.migrated_from), (9, Some(1)));

    memory.load_fault = Fault::Refuse;
    let bytes = actorhost_sdk::encode(&memory).unwrap();
    let error = testing::load::<Probe>(&bytes, 1).err();
    assert_eq!(error.as_deref(), Some("asked to refuse in load"));
}
