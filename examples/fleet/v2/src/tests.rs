use super::*;
use actorhost_sdk::testing::{self, TestActor};
use fleet_aircraft_v1 as v1;
use std::{collections::BTreeMap, path::PathBuf};

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
fn the_first_versions_state_is_taken_over_and_the_streaks_start_empty() {
    let old = v1::Aircraft {
        flights: 12,
        cancelled: 1,
        arrived: 11,
        delay_sum: -7,
        worst: Some(44),
        alerts: 2,
        recent: vec![1, -2, 3],
    };
    let new: Aircraft = testing::load(&testing::save(&old).unwrap(), 1).unwrap();
    assert_eq!(
        new,
        Aircraft {
            flights: 12,
            cancelled: 1,
            arrived: 11,
            delay_sum: -7,
            worst: Some(44),
            alerts: 2,
            recent: vec![1, -2, 3],
            late_streak: 0,
            longest_late_streak: 0,
        }
    );
}

#[test]
fn another_states_bytes_or_version_is_refused() {
    let old = testing::save(&v1::Aircraft::default()).unwrap();
    assert!(testing::load::<Aircraft>(&old[1..], 1).is_err());
    assert!(testing::load::<Aircraft>(&old, 2).is_err());
    let error = testing::load::<Aircraft>(&old, 7).unwrap_err();
    assert_eq!(error, "an aircraft of state version 7 is not known");
}

#[test]
fn a_streak_grows_with_late_arrivals_and_is_cut_by_one_in_time() {
    let mut plane = TestActor::<Aircraft>::start(&()).unwrap();
    for delay in [Some(15), Some(90), None, Some(20), Some(14), Some(16)] {
        plane.tell(&flight(delay)).unwrap();
    }
    let Reply::Summary {
        late_streak,
        longest_late_streak,
        ..
    } = plane.ask(&Message::Summary).unwrap()
    else {
        panic!("a summary answers a summary");
    };
    assert_eq!((late_streak, longest_late_streak), (1, 3));
}

#[test]
fn a_swap_after_any_flight_of_january_changes_no_figure() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../data");
    let mut fleet: BTreeMap<String, Aircraft> = BTreeMap::new();
    let mut rows = csv::Reader::from_path(path.join("flights-2013-01.csv")).unwrap();
    for row in rows.records() {
        let row = row.unwrap();
        if &row[4] == "NA" {
            continue;
        }
        let plane = fleet.entry(row[4].to_owned()).or_default();
        plane.fly(row[7].parse().ok());
        if plane.flights.is_multiple_of(5) {
            let old = v1::Aircraft {
                flights: plane.flights,
                cancelled: plane.cancelled,
                arrived: plane.arrived,
                delay_sum: plane.delay_sum,
                worst: plane.worst,
                alerts: plane.alerts,
                recent: plane.recent.clone(),
            };
            *plane = testing::load(&testing::save(&old).unwrap(), 1).unwrap();
        }
    }

    let answers = std::fs::read_to_string(path.join("expected-2013-01.json")).unwrap();
    let answers: serde_json::Value = serde_json::from_str(&answers).unwrap();
    for (tailnum, plane) in &fleet {
        let answer = &answers["planes"][tailnum];
        assert_eq!(answer["alerts"], plane.alerts, "{tailnum}");
        assert_eq!(answer["delay_sum"], plane.delay_sum, "{tailnum}");
        assert_eq!(answer["worst"], serde_json::json!(plane.worst), "{tailnum}");
    }
}
