//! Links, names and groups.

use super::*;

#[test]
fn links_carry_a_crash_over_unless_it_is_trapped() {
    let node = start();
    let (a, b) = (node.id(A), node.id(B));
    let token = |probe| node.me(probe)["token"].clone();
    let before = token(B);
    done(&node, B, json!({"Link": {"target": a}}));
    crash(&node, A);
    node.until("the other began anew", || token(B) != before);

    let before = token(B);
    done(&node, B, json!({"TrapExit": {"on": true}}));
    done(&node, B, json!({"Link": {"target": a}}));
    crash(&node, A);
    let exit = first(&node, B, "Exit");
    assert_eq!(exit["id"], a, "{exit}");
    let crashed = &exit["reason"]["Crashed"];
    assert_eq!(crashed["kind"], "panic", "{exit}");
    let message = crashed["message"].as_str().expect("a text");
    assert!(message.starts_with("as told, at "), "{exit}");
    let frames = crashed["backtrace"].as_array().expect("a list");
    assert!(!frames.is_empty(), "{exit}");
    assert_eq!(token(B), before);

    done(&node, B, json!({"Link": {"target": a}}));
    done(&node, B, json!({"Unlink": {"target": a}}));
    done(&node, B, json!("ForgetEvents"));
    crash(&node, A);
    assert_eq!(events(&node, B), [Value::Null; 0]);

    let oneself = "an actor cannot be linked to itself; its end is its own anyway";
    assert_eq!(refused(&node, B, json!({"Link": {"target": b}})), oneself);
    let nobody = refused(&node, B, json!({"Link": {"target": 987_654_321}}));
    assert_eq!(
        nobody,
        "no actor has this address; take it for ended and go on"
    );
}

#[test]
fn names_are_taken_found_and_given_back() {
    let node = start();
    let a = node.id(A);
    let found = || node.ask(B, json!({"Lookup": {"path": "till"}}))["Found"]["id"].clone();
    let register = json!({"Register": {"name": "till"}});
    done(&node, A, register.clone());
    assert_eq!(found(), a);
    let taken = "a living actor has this name; look it up, or take another";
    assert_eq!(refused(&node, B, register.clone()), taken);
    crash(&node, A);
    assert_eq!(found(), a, "a restart keeps it");
    done(&node, A, json!({"Unregister": {"name": "till"}}));
    assert_eq!(found(), Value::Null);
    done(&node, B, register);

    let bad = "a name has letters, digits and -_.:@ only, and 1 to 128 of them";
    for name in ["", "a b", "/till", "a\n", &"n".repeat(129)] {
        let register = json!({"Register": {"name": name}});
        assert_eq!(refused(&node, A, register), bad, "{name}");
    }
}

#[test]
fn groups_are_joined_published_to_and_left() {
    let node = start();
    let (a, b) = (node.id(A), node.id(B));
    let members = || node.ask(A, json!({"Members": {"group": "tills"}}))["Actors"].clone();
    let publish = |text| node.ask(A, json!({"Publish": {"group": "tills", "text": text}}));
    assert_eq!(publish("nobody")["Published"]["accepted"], 0);
    for probe in [B, A, B] {
        done(&node, probe, json!({"Join": {"group": "tills"}}));
    }
    assert_eq!(members(), json!([b, a]));
    let published = publish("open");
    assert_eq!(
        published,
        json!({"Published": {"accepted": 1, "refused": 0}})
    );
    assert_eq!(recorded(&node, B), ["open"]);
    assert_eq!(recorded(&node, A), [""; 0], "to all but oneself");

    // A mailbox of four that takes no more.
    node.occupy(B, 1_500);
    for _ in 0..4 {
        publish("more");
    }
    let published = publish("too much");
    assert_eq!(
        published,
        json!({"Published": {"accepted": 0, "refused": 1}})
    );

    node.until("it has room again", || {
        node.actor(B).expect("it lives")["queued"] == 0
    });
    done(&node, B, json!({"Leave": {"group": "tills"}}));
    assert_eq!(members(), json!([a]));
    let bad = "a name has letters, digits and -_.:@ only, and 1 to 128 of them";
    for group in ["", "a b", &"g".repeat(129)] {
        let join = json!({"Join": {"group": group}});
        assert_eq!(refused(&node, A, join), bad, "{group}");
    }
}
