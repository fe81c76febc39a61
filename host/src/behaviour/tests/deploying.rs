//! What is refused at deployment, and how it is said.

use super::{super::*, behaviour, bytes, engine};
use actorhost_core::CrashKind;
use bytes::Bytes;

async fn deploy(text: &str) -> Result<WasmModule, DeployError> {
    engine().deploy(bytes(text)).await
}

#[tokio::test]
async fn a_behaviour_is_deployed_and_described() {
    let module = deploy(&behaviour("", "(call $nothing)")).await.unwrap();
    let Description {
        name,
        version,
        state_version,
        can_save,
        ..
    } = &**module.description();
    assert_eq!(
        (&**name, &**version, *state_version, *can_save),
        ("test", "0.1.0", 7, true)
    );
    assert_eq!(module.imports(), ["actorhost:actor/types@0.1.0"]);
    assert_eq!(module.info().digest.len(), 64);
}

#[tokio::test]
async fn describe_must_not_call_the_node() {
    let import = r#"(component
        (import "actorhost:actor/runtime@0.1.0" (instance $runtime
            (export "self-id" (func (result u64)))))
        (core func $self_id (canon lower (func $runtime "self-id")))
        (core instance $node (export "self-id" (func $self_id)))"#;
    let module = r#"(core module $m
        (import "node" "self-id" (func $self_id (result i64)))"#;
    let text = behaviour("(drop (call $self_id))", "(call $nothing)")
        .replacen("(component", import, 1)
        .replacen("(core module $m", module, 1)
        .replacen(
            "(instantiate $m)",
            r#"(instantiate $m (with "node" (instance $node)))"#,
            1,
        );
    match deploy(&text).await {
        Err(DeployError::DescribeCrashed { crash }) => {
            assert!(crash.message.contains("must not"), "{}", crash.message);
        }
        other => panic!("{:?}", other.err()),
    }
}

#[tokio::test]
async fn describe_is_bounded() {
    let grow = "(loop $again (br_if $again (i32.ne (memory.grow (i32.const 16)) (i32.const -1))))
                unreachable";
    for (describe, kind) in [
        ("unreachable", CrashKind::Trap),
        ("(loop $again (br $again))", CrashKind::FuelExhausted),
        (grow, CrashKind::MemoryLimit),
    ] {
        match deploy(&behaviour(describe, "(call $nothing)")).await {
            Err(error @ DeployError::DescribeCrashed { .. }) => {
                let DeployError::DescribeCrashed { crash } = &error else {
                    unreachable!()
                };
                assert_eq!(crash.kind, kind);
                assert_eq!(error.code(), "describe-crashed");
            }
            other => panic!("{describe}: {:?}", other.err()),
        }
    }
}

#[tokio::test]
async fn a_component_of_another_world_lists_what_it_lacks() {
    let error = deploy(
        r#"(component (core module $m (func (export "f")))
        (core instance $i (instantiate $m))
        (func (export "run") (canon lift (core func $i "f"))))"#,
    )
    .await
    .err()
    .unwrap();
    assert_eq!(error.code(), "other-world");
    let text = error.to_string();
    assert!(
        text.contains("`describe`, `init`, `handle`") && text.contains("`run`"),
        "{text}"
    );
}

#[tokio::test]
async fn an_unknown_import_is_named() {
    let import = r#"(component
        (import "wasi:http/types@0.2.0" (instance (export "f" (func))))"#;
    let text = behaviour("", "(call $nothing)").replacen("(component", import, 1);
    match deploy(&text).await {
        Err(DeployError::UnknownImport { imports }) => {
            assert_eq!(imports, ["wasi:http/types@0.2.0"]);
        }
        other => panic!("{:?}", other.err()),
    }
}

#[tokio::test]
async fn an_unknown_function_of_a_known_interface_is_named() {
    let import = r#"(component
        (import "actorhost:actor/runtime@0.1.0" (instance (export "fly" (func))))"#;
    let text = behaviour("", "(call $nothing)").replacen("(component", import, 1);
    let error = deploy(&text).await.err().unwrap();
    assert_eq!(error.code(), "wrong-import");
    assert!(error.to_string().contains("`fly`"), "{error}");
}

#[tokio::test]
async fn another_version_of_the_contract_is_told() {
    let text = behaviour("", "(call $nothing)").replace("types@0.1.0", "types@0.9.0");
    let error = deploy(&text).await.err().unwrap();
    assert_eq!(error.code(), "other-wit-version");
    assert!(error.to_string().contains("0.9.0") && error.to_string().contains(WIT_VERSION));
}

/// As a module is that was built while crashes were heard as a text.
#[tokio::test]
async fn an_earlier_form_of_the_contract_is_told() {
    let text = behaviour("", "(call $nothing)")
        .replace("(case \"crashed\" $crash)", "(case \"crashed\" string)")
        .replace(
            "(param $len i32) (param i32 i64 i32 i32 i32 i32)",
            "(param $len i32) (param i32 i64 i32)",
        )
        .replace("(param i32 i32 i32 i32 i32 i32 i32)", "(param i32 i32 i32)");
    let error = deploy(&text).await.err().unwrap();
    assert_eq!(error.code(), "wrong-export-type", "{error}");
    assert!(error.to_string().contains("case crashed"), "{error}");
    let help = error.help().expect("what to do");
    assert!(help.contains("actorhost-sdk"), "{help}");
}

#[tokio::test]
async fn an_export_of_another_type_is_named() {
    let text = behaviour("", "(call $nothing)").replace(
        r#"(func (export "save") (result (result (list u8) (error string)))"#,
        r#"(func (export "save") (result (result string (error string)))"#,
    );
    match deploy(&text).await {
        Err(DeployError::WrongType { export, .. }) => assert_eq!(export, "save"),
        other => panic!("{:?}", other.err()),
    }
}

#[tokio::test]
async fn inspection_tells_what_can_be_told() {
    let good = inspect(bytes(&behaviour("", "(call $nothing)"))).await;
    assert_eq!(good.kind, Kind::Behaviour);
    assert_eq!(good.described.unwrap().name, "test");
    assert_eq!(good.wit_version.as_deref(), Some("0.1.0"));
    assert_eq!(good.exports.len(), 6);
    assert_eq!(good.problem, None);

    let other = inspect(bytes("(component)")).await;
    assert_eq!(other.kind, Kind::Component);
    assert_eq!(other.problem.unwrap().code, "other-world");

    let core = inspect(bytes("(module)")).await;
    assert_eq!(core.kind, Kind::CoreModule);
    assert!(
        core.problem
            .unwrap()
            .help
            .unwrap()
            .contains("wasm32-wasip2")
    );

    let text = inspect(Bytes::from_static(b"#!/bin/sh")).await;
    assert_eq!((text.kind, text.size_bytes), (Kind::Other, 9));
}

#[tokio::test]
async fn compiled_code_is_kept_and_a_damaged_entry_is_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let config = WasmConfig {
        cache_dir: Some(dir.path().into()),
        live_max: 1,
    };
    let module = bytes(&behaviour("", "(call $nothing)"));
    let entries = || {
        let mut found = Vec::new();
        let mut dirs = vec![dir.path().to_path_buf()];
        while let Some(dir) = dirs.pop() {
            for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
                if entry.file_type().unwrap().is_dir() {
                    dirs.push(entry.path());
                } else {
                    found.push(entry.path());
                }
            }
        }
        found
    };
    WasmEngine::new(config.clone())
        .unwrap()
        .deploy(module.clone())
        .await
        .unwrap();
    assert!(!entries().is_empty());
    for entry in entries() {
        std::fs::write(entry, b"damaged").unwrap();
    }
    WasmEngine::new(config)
        .unwrap()
        .deploy(module)
        .await
        .unwrap();
}
