//! Decisions as plain functions over values: no clock, no lock, no effect.

pub mod backoff;
pub mod links;
pub mod overflow;
pub mod poison;
pub mod priority;
pub mod restart;
pub mod ring;
pub mod strategy;
pub mod timer;
pub mod utilisation;
