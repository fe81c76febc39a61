//! A manifest of any text.
#![no_main]

use actorhost_wire::manifest::{ChildKind, Manifest, Supervisor};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Manifest::parse("actorhost.toml", text) {
        Ok(manifest) => {
            for supervisor in &manifest.supervisors {
                check(&manifest, supervisor);
            }
            for pool in &manifest.pools {
                assert!(manifest.behaviour(&pool.actor.behaviour).is_some());
            }
        }
        Err(errors) => {
            assert!(!errors.errors.is_empty());
            let lines = text.matches('\n').count() + 1;
            for error in &errors.errors {
                assert!((1..=lines).contains(&error.line) && error.column >= 1);
            }
            let _ = errors.to_string();
        }
    }
});

/// Every behaviour that is named is there, however deep.
fn check(manifest: &Manifest, supervisor: &Supervisor) {
    for child in &supervisor.children {
        match &child.kind {
            ChildKind::Actor(actor) => assert!(manifest.behaviour(&actor.behaviour).is_some()),
            ChildKind::Supervisor(below) => check(manifest, below),
        }
    }
}
