//! Messages out of columns.

use super::{super::*, of};
use serde_json::{Value, json};

#[derive(serde::Serialize, postcard_schema::Schema)]
struct Flight {
    tailnum: String,
    distance: u16,
    arr_delay: Option<i32>,
    fuel: f64,
    cancelled: bool,
}

#[derive(serde::Serialize, postcard_schema::Schema)]
#[allow(dead_code)]
enum Feed {
    Flight(Flight),
    Row { kind: String, tags: Vec<u8> },
    Number(u8),
    Reset,
}

#[test]
fn a_row_fills_the_fields_of_its_variant() {
    let schema = of::<Feed>();
    let row = json!({
        "tailnum": "N14228", "distance": "1400", "arr_delay": "NA", "fuel": " 2.50 ",
        "cancelled": "FALSE", "carrier": "UA",
    });
    let message = coerce_row(&schema, Some("Flight"), &row).unwrap();
    let fields = json!({
        "tailnum": "N14228", "distance": 1400, "arr_delay": null,
        "fuel": serde_json::from_str::<Value>("2.50").unwrap(), "cancelled": false,
    });
    assert_eq!(message, json!({ "Flight": fields.clone() }));
    assert!(json_to_postcard(&schema, &message).is_ok());
    assert_eq!(coerce_row(&of::<Flight>(), None, &row), Ok(fields));

    let lists = json!({"kind": "", "tags": "[1, 2]"});
    assert_eq!(
        coerce_row(&schema, Some("Row"), &lists),
        Ok(json!({"Row": {"kind": "", "tags": [1, 2]}}))
    );
    assert_eq!(coerce_row(&schema, Some("Reset"), &row), Ok(json!("Reset")));
    assert_eq!(
        coerce_row(&schema, None, &json!("Reset")),
        Ok(json!("Reset"))
    );
}

#[test]
fn a_row_that_does_not_fit_says_where() {
    let schema = of::<Feed>();
    let error = |variant, row| {
        coerce_row(&schema, Some(variant), &row)
            .unwrap_err()
            .to_string()
    };
    let whole = json!({
        "tailnum": "N1", "distance": "1", "arr_delay": "1", "fuel": "1", "cancelled": "true",
    });
    let with = |name: &str, value: Value| {
        let mut row = whole.clone();
        row[name] = value;
        row
    };
    let mut short = whole.clone();
    short.as_object_mut().unwrap().shift_remove("arr_delay");
    assert_eq!(error("Flight", short.clone()), "missing column `arr_delay`");
    short["arrdelay"] = json!("5");
    assert_eq!(
        error("Flight", short),
        "missing column `arr_delay`; did you mean `arrdelay`?"
    );
    assert_eq!(
        error("Flight", with("arr_delay", json!("late"))),
        "$.Flight.arr_delay: expected an integer (i32), found the string \"late\""
    );
    assert_eq!(
        error("Flight", with("distance", json!(""))),
        "$.Flight.distance: expected an integer (u16), found the string \"\""
    );
    assert_eq!(
        error("Flight", with("cancelled", json!("maybe"))),
        "$.Flight.cancelled: expected true or false, found the string \"maybe\""
    );
    assert_eq!(
        error("Flihgt", whole.clone()),
        "$: no variant `Flihgt`; did you mean `Flight`?"
    );
    assert_eq!(
        error("Number", whole),
        "columns can't fill `Number`, which has no named fields"
    );
    assert_eq!(
        error("Flight", json!([1])),
        "$.Flight: expected a row with named columns, found an array of 1"
    );
    assert_eq!(
        coerce_row(&of::<u8>(), Some("X"), &json!({}))
            .unwrap_err()
            .to_string(),
        "$: expected an integer (u8), found the variant `X`"
    );
}
