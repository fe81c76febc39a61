use super::{
    feed::{self, FeedError, FeedOptions, OnError},
    test_server::serve,
    *,
};
use actorhost_wire::api::FeedRejection;
use axum::{
    Json, Router,
    http::Uri,
    routing::{get, post},
};
use serde_json::{Value, json};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

#[tokio::test]
async fn nobody_listening_is_told_from_a_refusal() {
    let dir = tempfile::tempdir().unwrap();
    let error = Client::new(dir.path()).node().await.unwrap_err();
    assert_eq!(error.code(), "not-reachable");
    assert!(error.to_string().contains("node.sock"), "{error}");

    let refuse = post(|| async {
        let body = ErrorBody {
            code: "no-such-actor".into(),
            message: "no actor `/a`".into(),
            help: Some("look".into()),
        };
        (StatusCode::NOT_FOUND, Json(body))
    });
    let server = serve(Router::new().route("/v1/tell", refuse));
    let request = TellRequest {
        to: "/a".into(),
        message: Value::Null,
    };
    let error = server.client.tell(&request).await.unwrap_err();
    assert_eq!(
        (error.code(), error.help()),
        ("no-such-actor", Some("look"))
    );
    assert_eq!(error.to_string(), "no actor `/a`");
}

#[tokio::test]
async fn names_and_numbers_are_escaped_into_the_query() {
    let seen = get(|uri: Uri| async move {
        Json(json!({"actors": [], "total": uri.to_string().len(), "uri": uri.to_string()}))
    });
    let echo = post(|uri: Uri| async move {
        let body = ErrorBody {
            code: "seen".into(),
            message: uri.to_string(),
            help: None,
        };
        (StatusCode::BAD_REQUEST, Json(body))
    });
    let routes = Router::new()
        .route("/v1/actors", seen)
        .route("/v1/swap", echo);
    let server = serve(routes);
    assert!(server.client.actors(Some("/fleet"), Some(3)).await.is_ok());
    let swap = server.client.swap("a b&c=ä", Bytes::new(), Some(5)).await;
    let uri = swap.unwrap_err().to_string();
    assert_eq!(uri, "/v1/swap?behaviour=a%20b%26c%3D%C3%A4&timeout_ms=5");
}

#[tokio::test]
async fn a_request_that_a_node_would_cut_is_not_sent() {
    let client = Client::new("nowhere");
    let message = "x".repeat(BODY_BYTES_MAX).into();
    let to = "/a".into();
    let error = client.tell(&TellRequest { to, message }).await.unwrap_err();
    assert_eq!(error.code(), "too-large");
    let module = Bytes::from(vec![0; MODULE_BYTES_MAX + 1]);
    let error = client.deploy("a", module).await.unwrap_err();
    assert_eq!(error.code(), "too-large");
}

#[tokio::test]
async fn a_node_that_was_started_again_is_reached_by_the_same_client() {
    let dir = tempfile::tempdir().unwrap();
    let client = Client::new(dir.path());
    for life in 0..2 {
        let listener = socket::bind(dir.path()).unwrap();
        listener.set_nonblocking(true).unwrap();
        let listener = tokio::net::UnixListener::from_std(listener).unwrap();
        let answer =
            get(move || async move { Json(json!({"letters": [], "total": life, "dropped": 0})) });
        let routes = Router::new().route("/v1/dead-letters", answer);
        let (end, ended) = tokio::sync::oneshot::channel::<()>();
        let serving = axum::serve(listener, routes).with_graceful_shutdown(async {
            let _ = ended.await;
        });
        let server = tokio::spawn(serving.into_future());
        assert_eq!(client.dead_letters(None).await.unwrap().total, life);
        drop(end);
        server.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn one_connection_serves_many_requests() {
    let server =
        serve(Router::new().route("/v1/ask", post(|| async { Json(json!({"reply": 1})) })));
    let request = AskRequest {
        to: "/a".into(),
        message: Value::Null,
        timeout_ms: 1_000,
    };
    for _ in 0..10 {
        server.client.ask(&request).await.unwrap();
        assert_eq!(server.client.idle.lock().len(), 1);
    }
}

#[tokio::test]
async fn a_node_that_never_answers_is_given_up() {
    let silent = get(|| async {
        std::future::pending::<()>().await;
        Json(json!({}))
    });
    let server = serve(Router::new().route("/v1/tree", silent));
    let limit = Duration::from_millis(20);
    let asked = server
        .client
        .call::<Value>(Method::GET, "/v1/tree", "", Bytes::new(), limit);
    assert_eq!(asked.await.unwrap_err().code(), "no-answer");
    assert!(
        server.client.idle.lock().is_empty(),
        "a late answer could be read as another's"
    );
}

#[tokio::test]
async fn an_answer_of_another_form_is_said_to_be_one() {
    let server = serve(Router::new().route("/v1/tree", get(|| async { "moved" })));
    let error = server.client.tree().await.unwrap_err();
    assert_eq!(error.code(), "unknown-answer");
    assert_eq!(
        server.client.node().await.unwrap_err().code(),
        "unknown-answer"
    );
}

/// Rejects the rows of the key `bad`, and counts requests.
fn feed_route(requests: Arc<AtomicUsize>) -> Router {
    let answer = move |Json(request): Json<FeedRequest>| async move {
        requests.fetch_add(1, Ordering::Relaxed);
        let bad = request.rows.iter().filter(|row| row.key == "bad");
        let rejected: Vec<_> = bad
            .map(|row| FeedRejection {
                row: row.row,
                key: row.key.clone(),
                code: "bad-message".into(),
                message: "no".into(),
            })
            .collect();
        let accepted = (request.rows.len() - rejected.len()) as u64;
        Json(FeedReply {
            accepted,
            spawned: 1,
            rejected,
        })
    };
    Router::new().route("/v1/feed", post(answer))
}

#[tokio::test]
async fn a_feed_sends_every_row_once() {
    let requests = Arc::new(AtomicUsize::new(0));
    let server = serve(feed_route(requests.clone()));
    let rows: String = (0..1_000).map(|row| format!("k{row},{row}\n")).collect();
    let text = format!("key,n\n{rows}NA,1\n");
    let options = FeedOptions {
        batch_rows: 100,
        ..FeedOptions::new("pool", "key")
    };
    let mut seen = Vec::new();
    let summary = feed::run(
        &server.client,
        std::io::Cursor::new(text),
        &options,
        |so_far| {
            seen.push(so_far.rows);
        },
    );
    let summary = summary.await.unwrap();
    assert_eq!(
        (summary.rows, summary.accepted, summary.rejected),
        (1_001, 1_000, 1)
    );
    assert_eq!(summary.rejected_by_reason["no-key"], 1);
    assert_eq!(requests.load(Ordering::Relaxed), 10);
    assert_eq!(summary.spawned, 10);
    assert!(seen.is_sorted() && seen.last() == Some(&1_001), "{seen:?}");
}

#[tokio::test]
async fn a_rejected_row_stops_a_feed_or_is_counted() {
    let text = "key,n\na,1\nbad,2\nc,3\nd,4\n";
    for (on_error, accepted) in [(OnError::Stop, 1), (OnError::Skip, 3)] {
        let server = serve(feed_route(Arc::default()));
        let options = FeedOptions {
            batch_rows: 2,
            on_error,
            ..FeedOptions::new("pool", "key")
        };
        let outcome = feed::run(&server.client, text.as_bytes(), &options, |_| {}).await;
        let summary = match outcome {
            Ok(summary) => summary,
            Err(failed) => {
                assert!(matches!(&failed.error, FeedError::Rejected(row) if row.row == 2));
                *failed.summary
            }
        };
        assert_eq!(
            (summary.accepted, summary.rejected),
            (accepted, 1),
            "{on_error:?}"
        );
    }
}

#[tokio::test]
async fn a_feed_without_a_node_says_what_it_did() {
    let dir = tempfile::tempdir().unwrap();
    let client = Client::new(dir.path());
    let options = FeedOptions::new("pool", "key");
    let failed = feed::run(&client, "key\na\n".as_bytes(), &options, |_| {})
        .await
        .unwrap_err();
    assert!(matches!(
        failed.error,
        FeedError::Client(ClientError::NotReachable { .. })
    ));
    assert_eq!(failed.summary.accepted, 0);
}
