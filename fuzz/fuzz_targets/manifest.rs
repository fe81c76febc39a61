//! A manifest of any text.
#![no_main]

use actorhost_wire::manifest::Manifest;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Manifest::parse("actorhost.toml", text) {
        Ok(manifest) => {
            for child in manifest.supervisors.iter().flat_map(|s| &s.children) {
                assert!(manifest.behaviour(&child.behaviour).is_some());
            }
            for pool in &manifest.pools {
                assert!(manifest.behaviour(&pool.behaviour).is_some());
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
