use super::*;
use actorhost_sdk::testing::TestActor;

const NEXT: ActorRef = ActorRef::from_raw(2);

fn tally(window: u32) -> TestActor<Stage> {
    let next = "/pipeline/write".to_owned();
    start(&Role::Tally { next, window })
}

fn start(role: &Role) -> TestActor<Stage> {
    let node = actorhost_sdk::testing::MockNode::new();
    node.register("/pipeline/write", NEXT);
    node.register("/pipeline/tally", NEXT);
    TestActor::start_on(node, role).unwrap()
}

fn reading(value: f64) -> Message {
    let sensor = "boiler".to_owned();
    Message::Reading { sensor, value }
}

#[test]
fn a_line_becomes_a_reading_or_is_refused() {
    let next = "/pipeline/tally".to_owned();
    let mut parse = start(&Role::Parse { next });
    let good = Message::Line("boiler, 71.5".into());
    assert_eq!(parse.ask(&good), Ok(Reply::Done));
    assert_eq!(parse.node().tells(), [(NEXT, reading(71.5))]);
    for bad in ["boiler", "boiler,hot", "boiler,NaN"] {
        let reply = parse.ask(&Message::Line(bad.into())).unwrap();
        assert!(matches!(reply, Reply::Refused(_)), "{bad}");
    }
}

#[test]
fn each_full_window_gives_one_mean() {
    let mut tally = tally(3);
    for value in [1.0, 2.0, 6.0, 100.0] {
        assert_eq!(tally.ask(&reading(value)), Ok(Reply::Done));
    }
    let sensor = "boiler".to_owned();
    let mean = Message::Mean { sensor, mean: 3.0 };
    assert_eq!(tally.node().tells(), [(NEXT, mean)]);
}

#[test]
fn a_message_for_another_stage_is_refused() {
    let reply = tally(3).ask(&Message::Line("boiler,1".into())).unwrap();
    assert!(matches!(reply, Reply::Refused(_)));
}

#[test]
fn a_stage_without_its_next_does_not_start() {
    let next = "/nowhere".to_owned();
    assert!(TestActor::<Stage>::start(&Role::Parse { next }).is_err());
}

#[test]
fn the_writer_appends_and_crashes_on_what_is_no_file_name() {
    let dir = tempfile::tempdir().unwrap();
    let mut write = start(&Role::Write {
        dir: dir.path().display().to_string(),
    });
    let mean = |sensor: &str, mean| Message::Mean {
        sensor: sensor.into(),
        mean,
    };
    write.ask(&mean("boiler", 3.0)).unwrap();
    write.ask(&mean("boiler", 4.5)).unwrap();
    let written = std::fs::read_to_string(dir.path().join("boiler.csv")).unwrap();
    assert_eq!(written, "3\n4.5\n");
    assert!(write.ask(&mean("no/such", 1.0)).is_err());
}
