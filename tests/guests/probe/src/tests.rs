use super::*;
use actorhost_sdk::testing::{self, Effect, MockNode, TestActor};

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

fn record(text: &str) -> Message {
    Message::Record { text: text.into() }
}

fn recorded(probe: &mut TestActor<Probe>) -> Vec<String> {
    let events = probe.state().memory.events.iter();
    let texts = events.filter_map(|event| match event {
        Event::Record { text, .. } => Some(text.clone()),
        _ => None,
    });
    texts.collect()
}

#[test]
fn a_timer_of_a_key_replaces_the_last_one() {
    let mut probe = probe();
    for (after_ms, text) in [(10, "first"), (20, "second")] {
        let (key, text) = (Some("k".to_owned()), text.to_owned());
        let set = Message::SetTimer {
            key,
            after_ms,
            every_ms: Some(100),
            text,
        };
        assert!(matches!(probe.ask(&set), Ok(Reply::Timer { .. })));
    }
    assert_eq!(probe.advance(Duration::from_millis(219)), Ok(2));
    assert_eq!(recorded(&mut probe), ["second", "second"]);
}

#[test]
fn a_crash_ends_timers_and_keeps_the_stash() {
    let mut probe = probe();
    let set = Message::SetTimer {
        key: None,
        after_ms: 1,
        every_ms: None,
        text: "tick".into(),
    };
    probe.tell(&set).unwrap();
    probe.tell(&Message::StashRecords { on: true }).unwrap();
    probe.tell(&record("kept")).unwrap();
    assert_eq!(probe.stashed(), 1);
    probe
        .tell(&Message::Panic {
            text: "as told".into(),
        })
        .unwrap_err();
    probe.restart();
    assert_eq!(probe.advance(Duration::from_secs(1)), Ok(0));
    probe.tell(&Message::Total).unwrap();
    assert_eq!(recorded(&mut probe), ["kept"]);
}

#[test]
fn a_stashed_question_is_answered_when_it_comes_back() {
    let mut probe = probe();
    probe.tell(&Message::StashRecords { on: true }).unwrap();
    probe.ask(&record("later")).unwrap();
    assert_eq!(probe.answers(), []);
    let back = probe.ask(&Message::StashRecords { on: false });
    assert_eq!(back, Ok(Reply::Number(1)));
    assert_eq!(probe.answers(), [Reply::Text("later".into())]);
}

#[test]
fn a_message_is_stashed_once() {
    let mut probe = probe();
    probe.tell(&Message::StashTwice).unwrap();
    assert_eq!(recorded(&mut probe), ["Ok(()), Err(NoMessage)"]);
}

#[test]
fn a_question_for_later_is_answered_or_times_out() {
    let mut probe = probe();
    let mut ask = |timeout_ms| {
        let text = "well?".to_owned();
        let to = OTHER;
        let ask = Message::AskLater {
            to,
            text,
            timeout_ms,
        };
        match probe.ask(&ask) {
            Ok(Reply::Asked { id }) => id,
            other => panic!("{other:?}"),
        }
    };
    let (first, second) = (ask(10), ask(20));
    probe.advance(Duration::from_millis(10)).unwrap();
    let text = "yes".to_owned();
    probe
        .replied(second, Ok(Reply::Text(text.clone())))
        .unwrap();
    assert_eq!(probe.advance(Duration::from_secs(1)), Ok(0));
    let timeout = Some("no reply in time".to_owned());
    let reply = |ask, text, error| Event::Reply { ask, text, error };
    assert_eq!(
        probe.state().memory.events,
        [reply(first, None, timeout), reply(second, Some(text), None)],
    );
}

#[test]
fn a_kept_question_is_answered_once() {
    let mut probe = probe();
    probe.tell(&Message::KeepQuestions { on: true }).unwrap();
    probe.ask(&record("who?")).unwrap();
    let answer = probe.ask(&Message::AnswerKept { text: "me".into() });
    assert!(matches!(answer, Ok(Reply::Told { accepted: 1, .. })));
    assert_eq!(probe.node().replies::<Reply>(), [Reply::Text("me".into())]);
    let again = probe.ask(&Message::AnswerAgain { text: "me".into() });
    assert!(matches!(again, Ok(Reply::Failed { .. })));
}

#[test]
fn none_of_it_is_done_by_a_turn_that_panics() {
    let mut probe = probe();
    let all = Message::AllThenPanic {
        to: OTHER,
        name: "held".into(),
    };
    probe.ask(&all).unwrap_err();
    assert_eq!(probe.node().effects(), []);
    probe.restart();
    assert_eq!(probe.advance(Duration::from_secs(5)), Ok(0));
}

#[test]
fn a_childs_spec_goes_out_as_it_was_built() {
    let mut probe = probe();
    let start = Message::StartChild {
        supervisor: "/shop".into(),
        id: "till".into(),
        restart: RestartType::Transient,
        significant: true,
        fault: None,
        timeout_ms: 7,
    };
    assert!(matches!(probe.ask(&start), Ok(Reply::Spawned { .. })));
    let started = Effect::StartChild {
        supervisor: "/shop".into(),
        id: "till".into(),
        behaviour: "probe".into(),
        args: actorhost_sdk::encode(&Args::default()).unwrap(),
        restart: RestartType::Transient,
        significant: true,
        timeout_ms: 7,
    };
    assert_eq!(probe.node().effects(), [started,]);
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
