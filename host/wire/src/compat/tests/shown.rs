//! What people and programs see.

use super::*;
use serde_json::json;

versions! {
    v1 { pub enum Msg { Deposit { cents: u64, note: String }, Balance } }
    v2 { pub enum Msg { Deposit { cents: u32, memo: String }, Balance, Close } }
}

fn changed() -> Comparison {
    compare_role(Role::Message, &of::<v1::Msg>(), &of::<v2::Msg>())
}

#[test]
fn the_text_says_what_why_and_what_to_do() {
    assert_eq!(
        changed().to_string(),
        "refused: 1 break, 1 warning, 1 fine\n\
         breaks   message $.Deposit.cents: `u64` became `u32`\n         \
         the narrower type does not hold every value of the wider one; messages that are \
         queued, or come from senders of the old version, can't be read\n         \
         do: keep the type, and append a variant with the new one at the end of the enum\n\
         warning  message $.Deposit.memo: `note` became `memo`\n         \
         the bytes are the same under another name; see that it means the same\n         \
         do: nothing, if it means the same\n\
         fine     message $.Close: `Close` is new\n         \
         it comes after all others, whose bytes stay as they were; until a roll-out ends, \
         actors of the old version can't read messages that need the new type"
    );
    let same = compare_role(Role::State, &of::<v1::Msg>(), &of::<v1::Msg>());
    assert_eq!(same.to_string(), "no difference");
}

#[test]
fn the_json_has_stable_names() {
    let shown = serde_json::to_value(changed()).unwrap();
    assert_eq!(shown["verdict"], "refused");
    assert_eq!(
        shown["counts"],
        json!({"breaks": 1, "warnings": 1, "fine": 1})
    );
    assert_eq!(shown["omitted"], 0);
    assert_eq!(shown["migrates_from"], json!(null));
    let appended = &shown["differences"][2];
    assert_eq!(appended["severity"], "fine");
    assert_eq!(appended["role"], "message");
    assert_eq!(appended["place"], "$.Close");
    assert_eq!(appended["rule"], "variant-appended");
    assert_eq!(appended["was"], json!(null));
    assert_eq!(appended["is"], "Close");
    assert_eq!(appended["help"], json!(null));
}
