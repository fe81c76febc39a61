//! A pool's children have one spec and a restart budget each.

use actorhost_tests::Node;
use actorhost_wire::api::{AskRequest, FeedRequest, FeedRow};
use serde_json::json;

const MANIFEST: &str = r#"
[node]
threads = 2

[behaviour.probe]
module = "{probe}"

[[pool]]
name = "crowd"
behaviour = "probe"
args = { start = 0 }
intensity = 3
period = "60s"
"#;

const CROWD: u64 = 10_000;

/// A message for each of the crowd but the first `but`.
fn to_crowd(but: u64) -> Vec<FeedRequest> {
    let row = |n: u64| FeedRow {
        row: n + 1,
        key: format!("p{n}"),
        message: json!({"Add": {"n": n}}),
    };
    let rows: Vec<FeedRow> = (but..CROWD).map(row).collect();
    let batches = rows.chunks(1_000).map(|rows| FeedRequest {
        pool: "crowd".into(),
        variant: None,
        rows: rows.to_vec(),
    });
    batches.collect()
}

#[tokio::test]
async fn c10_in_a_pool_of_ten_thousand_a_poison_child_uses_up_its_own_budget_only() {
    let node = Node::start(MANIFEST);
    let client = node.client();
    let mut spawned = 0;
    for batch in to_crowd(0) {
        let reply = client.feed(&batch).await.expect("the node lives");
        assert_eq!(reply.accepted, batch.rows.len() as u64);
        spawned += reply.spawned;
    }
    assert_eq!(spawned, CROWD);

    for restarts in 0..4 {
        let poison = AskRequest {
            to: "/crowd/p0".into(),
            message: json!({"Panic": {"text": "poison"}}),
            timeout_ms: 30_000,
        };
        let error = client.ask(&poison).await.expect_err("it crashes");
        assert_eq!(error.code(), "crashed", "after {restarts} restarts");
    }
    let reports = || node.log_lines(&["restart budget is used up", "actor=/crowd/p0 "]);
    node.until("its end is reported", || !reports().is_empty());
    assert_eq!(reports().len(), 1, "{:?}", reports());
    assert!(node.actor("/crowd/p0").is_none());

    for batch in to_crowd(1) {
        let reply = client.feed(&batch).await.expect("the node lives");
        let all = (batch.rows.len() as u64, 0);
        assert_eq!((reply.accepted, reply.spawned), all);
    }
    let request = client.actors(Some("/crowd"), Some(CROWD)).await;
    let crowd = request.expect("the node lives");
    assert_eq!(crowd.total, CROWD - 1);
    assert!(crowd.actors.iter().all(|actor| actor.restarts == 0));
    let last = node.ask("/crowd/p9999", json!("Total"));
    assert_eq!(last["Number"], 2 * 9_999);
}
