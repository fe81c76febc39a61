//! Questions answered later, on either side, and messages handed on.

use super::*;

#[test]
fn a_question_asked_for_later_has_a_reply_or_a_reason() {
    let node = start();
    let a = node.id(A);
    let heard = |what| {
        let reply = first(&node, B, "Reply");
        done(&node, B, json!("ForgetEvents"));
        assert_eq!(reply["ask"], what, "{reply}");
        reply
    };
    let ask = ask_later(&node, B, a, "well?", 60_000);
    assert_eq!(heard(ask)["text"], "well?");

    let message = json!({"AskLaterToPanic": {"to": a, "timeout_ms": 60_000}});
    let ask = node.ask(B, message)["Asked"]["id"].clone();
    let error = heard(ask)["error"].clone();
    let error = error.as_str().expect("a text");
    assert!(
        error.starts_with("the target crashed: panic: asked for later"),
        "{error}"
    );

    done(&node, A, json!({"KeepQuestions": {"on": true}}));
    let ask = ask_later(&node, B, a, "kept", 20);
    assert_eq!(heard(ask)["error"], "no reply in time");

    let nobody = json!({"to": 987_654_321, "text": "", "timeout_ms": 20});
    let cause = refused(&node, B, json!({"AskLater": nobody}));
    assert_eq!(cause, "no actor has this address");
}

#[test]
fn a_kept_question_is_answered_once() {
    let node = start();
    let a = node.id(A);
    let answer = |text| node.ask(A, json!({"AnswerKept": {"text": text}}))["Told"].clone();
    done(&node, A, json!({"KeepQuestions": {"on": true}}));
    let ask = ask_later(&node, B, a, "who?", 60_000);
    assert_eq!(
        answer("me"),
        json!({"accepted": 1, "refused": 0, "cause": null})
    );
    let reply = json!({"ask": ask, "text": "me", "error": null});
    assert_eq!(first(&node, B, "Reply"), reply);

    let again = refused(&node, A, json!({"AnswerAgain": {"text": "me again"}}));
    assert_eq!(
        again,
        "no question has this token; use each once, in the life that kept it"
    );

    ask_later(&node, B, a, "still there?", 20);
    node.until("the asker gave up", || events(&node, B).len() == 2);
    let late = "the asker no longer waits; let the question go";
    assert_eq!(
        answer("here"),
        json!({"accepted": 0, "refused": 1, "cause": late})
    );

    // The life that kept it ends, and the asker hears so.
    ask_later(&node, B, a, "and now?", 60_000);
    crash(&node, A);
    node.until("the asker hears", || events(&node, B).len() == 3);
    let error = events(&node, B)[2]["Reply"]["error"].clone();
    let error = error.as_str().expect("a text");
    assert!(error.starts_with("the target crashed: "), "{error}");
}

#[test]
fn a_forwarded_question_is_for_the_other_to_answer() {
    let node = start();
    let (a, b) = (node.id(A), node.id(B));
    let forward = |to| json!({"Forward": {"to": to, "text": "over to you"}});
    assert_eq!(node.ask(A, forward(b)), json!({"Text": "over to you"}));
    let event = first(&node, B, "Record");
    assert_eq!(event, json!({"from": null, "text": "over to you"}));
    let cause = refused(&node, A, forward(987_654_321));
    assert_eq!(cause, "no actor has this address");
    assert_eq!(node.ask(A, forward(a)), json!({"Text": "over to you"}));
}
