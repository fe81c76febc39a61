use super::*;
use actorhost_sdk::testing::{self, TestActor};
use std::{collections::BTreeMap, path::PathBuf};

fn data(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../data")
        .join(file)
}

fn flight(arr_delay: Option<i32>) -> Message {
    Message::Flight {
        month: 1,
        day: 2,
        carrier: "UA".into(),
        flight: 1545,
        origin: "EWR".into(),
        dest: "IAH".into(),
        arr_delay,
    }
}

#[test]
fn every_aircraft_of_january_agrees_with_the_answer_file() {
    let mut fleet: BTreeMap<String, Aircraft> = BTreeMap::new();
    let mut rejected = 0;
    let mut rows = csv::Reader::from_path(data("flights-2013-01.csv")).unwrap();
    for row in rows.records() {
        let row = row.unwrap();
        let (tailnum, arr_delay) = (&row[4], row[7].parse().ok());
        if tailnum == "NA" {
            rejected += 1;
            continue;
        }
        fleet.entry(tailnum.to_owned()).or_default().fly(arr_delay);
    }

    let answers = std::fs::read_to_string(data("expected-2013-01.json")).unwrap();
    let answers: serde_json::Value = serde_json::from_str(&answers).unwrap();
    let planes = answers["planes"].as_object().unwrap();
    assert_eq!(fleet.len(), 3_148);
    assert_eq!(planes.len(), fleet.len());
    assert_eq!(answers["rejected"], rejected);
    for (tailnum, plane) in &fleet {
        let figures = serde_json::json!({
            "flights": plane.flights,
            "cancelled": plane.cancelled,
            "arrived": plane.arrived,
            "delay_sum": plane.delay_sum,
            "worst": plane.worst,
            "alerts": plane.alerts,
        });
        assert_eq!(planes[tailnum], figures, "{tailnum}");
    }
}

#[test]
fn an_alert_is_one_rise_over_the_bound_and_is_logged() {
    let mut plane = TestActor::<Aircraft>::start(&()).unwrap();
    for _ in 0..7 {
        plane.tell(&flight(Some(31))).unwrap();
    }
    assert_eq!(plane.state().alerts, 0, "seven are too few");
    plane.tell(&flight(Some(31))).unwrap();
    plane.tell(&flight(Some(60))).unwrap();
    assert_eq!(plane.state().alerts, 1, "it stays behind");
    plane.tell(&flight(Some(-100))).unwrap();
    plane.tell(&flight(Some(600))).unwrap();
    assert_eq!(plane.state().alerts, 2, "it caught up in between");

    let logs = plane.node().logs();
    assert_eq!(logs.len(), 2);
    assert_eq!(logs[0].1, "running late since UA1545 EWR-IAH on 1/2");
}

#[test]
fn a_flight_without_arrival_counts_as_cancelled_only() {
    let mut plane = TestActor::<Aircraft>::start(&()).unwrap();
    assert_eq!(plane.ask(&flight(None)), Ok(Reply::Noted));
    assert_eq!(
        plane.ask(&Message::Summary),
        Ok(Reply::Summary {
            flights: 1,
            cancelled: 1,
            arrived: 0,
            delay_sum: 0,
            worst: None,
            alerts: 0,
        })
    );
}

#[test]
fn a_poisoned_aircraft_resumes_with_the_figures_it_had() {
    let mut plane = TestActor::<Aircraft>::start(&()).unwrap();
    plane.tell(&flight(Some(5))).unwrap();
    let before = testing::save(plane.state()).unwrap();

    let crash = plane.tell(&Message::Poison).unwrap_err();
    assert!(crash.message.contains("poisoned"), "{crash}");
    plane.resume();
    assert_eq!(testing::save(plane.state()).unwrap(), before);
}
