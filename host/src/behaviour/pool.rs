//! How wasmtime is set up: the pool of places for instances, and the settings of
//! the compiler. Every figure here is a limit, and most are address space only.

use std::fs;
use wasmtime::{
    Cache, Config, Enabled, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig,
};

/// Largest linear memory of an instance, in bytes: the size of a place in the pool.
/// Address space, touched only as far as a guest uses it.
pub const MEMORY_BYTES_MAX: u64 = 64 << 20;

/// Most elements in all tables of an instance. A table holds the functions that are
/// called through pointers; a large Rust guest has some hundreds.
pub(super) const TABLE_ELEMENTS_MAX: usize = 10_000;

/// Stack that guest code may use, in bytes. Rust keeps what is addressed on a stack
/// of its own in linear memory, so this holds call frames only.
pub(super) const GUEST_STACK_BYTES: usize = 256 << 10;

/// Stack kept for host functions on top of the guest's, in bytes. wasmtime aborts
/// the process if they overflow it; what is linked here needs a few KiB.
const HOST_STACK_BYTES: usize = 256 << 10;

/// Guest frames kept of a backtrace.
pub(super) const BACKTRACE_FRAMES_MAX: usize = 64;

/// Mappings of one live instance: its memory and the address space behind it, its
/// stack and the guard before it.
const MAPPINGS_PER_INSTANCE: u64 = 4;

/// Mappings left to the rest of the process: code, threads, allocator, files.
const MAPPINGS_RESERVED: u64 = 5_000;

/// Places beyond `live_max`, for instances that exist for a moment beside others:
/// the new side of a swap, a module that describes itself.
const SPARE_INSTANCES: u32 = 64;

/// Linux's default of `vm.max_map_count`.
const MAP_COUNT_DEFAULT: u64 = 65_530;

/// Places that no machine needs more of: the pool's bookkeeping is made at start.
const LIVE_MAX: u64 = 200_000;

/// How many instances can be live at once, given how many mappings a process may
/// have.
pub(super) fn live_max_for(map_count: u64) -> u32 {
    let places = map_count.saturating_sub(MAPPINGS_RESERVED) / MAPPINGS_PER_INSTANCE;
    let live = places
        .saturating_sub(u64::from(SPARE_INSTANCES))
        .clamp(16, LIVE_MAX);
    u32::try_from(live).expect("clamped to a small number")
}

/// How many mappings a process may have here: Linux's `vm.max_map_count`, or its
/// default where it cannot be read.
pub fn map_count_max() -> u64 {
    let text = fs::read_to_string("/proc/sys/vm/max_map_count").ok();
    text.and_then(|text| text.trim().parse().ok())
        .unwrap_or(MAP_COUNT_DEFAULT)
}

/// How many instances can be live at once on this machine, by [`map_count_max`].
pub fn live_max_for_this_machine() -> u32 {
    live_max_for(map_count_max())
}

/// The engine's settings for at most `live_max` live instances.
pub(super) fn config(live_max: u32, cache: Option<Cache>) -> Config {
    let mut config = Config::new();
    config
        .strategy(wasmtime::Strategy::Cranelift)
        .cranelift_opt_level(OptLevel::Speed)
        .consume_fuel(true)
        // Traps by explicit checks: 13 % on compute-heavy code, but a trap costs a
        // third, memories need no guard mappings, and no signal handler is needed.
        .signals_based_traps(false)
        .max_wasm_stack(GUEST_STACK_BYTES)
        .async_stack_size(GUEST_STACK_BYTES + HOST_STACK_BYTES)
        // Function names only; file and line would need the guests' debug info.
        .wasm_backtrace_max_frames(std::num::NonZeroUsize::new(BACKTRACE_FRAMES_MAX))
        .wasm_backtrace_details(wasmtime::WasmBacktraceDetails::Disable)
        .generate_address_map(false)
        .native_unwind_info(false)
        // An image mapped into each memory would cost a mapping more an instance.
        .memory_init_cow(false)
        .memory_reservation(MEMORY_BYTES_MAX)
        .memory_may_move(false)
        .memory_guard_size(0)
        .guard_before_linear_memory(false)
        .cache(cache)
        .allocation_strategy(InstanceAllocationStrategy::Pooling(places(live_max)));
    features(&mut config);
    config
}

/// What no compiler for components emits by default stays off.
fn features(config: &mut Config) {
    config
        .wasm_memory64(false)
        .wasm_relaxed_simd(false)
        .wasm_wide_arithmetic(false)
        .wasm_custom_page_sizes(false);
}

fn places(live_max: u32) -> PoolingAllocationConfig {
    let live = live_max + SPARE_INSTANCES;
    let mut places = PoolingAllocationConfig::new();
    places
        .total_component_instances(live)
        // A component has a few core instances (its module, and two that wasmtime
        // needs to link imports with lists) and a table or two.
        .total_core_instances(live.saturating_mul(4))
        .total_tables(live.saturating_mul(2))
        .total_memories(live)
        .total_stacks(live)
        .max_memories_per_module(4)
        .max_tables_per_module(4)
        .max_memory_size(usize::try_from(MEMORY_BYTES_MAX).expect("64 MiB"))
        .table_elements(TABLE_ELEMENTS_MAX)
        // A place that was in use before is as good for another module, and resident.
        .max_unused_warm_slots(0)
        .linear_memory_keep_resident(kept_resident_bytes(dirty_page_scan_available()))
        .table_keep_resident(KEPT_RESIDENT_BYTES)
        .pagemap_scan(Enabled::Auto);
    places
}

/// Bytes of a place that stay resident when it is given back, cleared instead of
/// returned to the kernel. At most this much is held by a place that is not in use.
const KEPT_RESIDENT_BYTES: usize = 128 << 10;

/// Memory that stays resident in an unused place. Without a scan for dirty pages,
/// clearing would make all of it resident, so everything goes back to the kernel
/// then, at twice the time for an instance made and dropped.
fn kept_resident_bytes(scan: bool) -> usize {
    if scan { KEPT_RESIDENT_BYTES } else { 0 }
}

/// Whether the kernel tells which pages are dirty (`PAGEMAP_SCAN`, Linux 6.7), so
/// that instances are made and dropped at half the cost.
pub fn dirty_page_scan_available() -> bool {
    PoolingAllocationConfig::is_pagemap_scan_available()
}

#[cfg(test)]
mod tests {
    use super::live_max_for;

    #[test]
    fn linux_default_holds_over_twelve_thousand() {
        assert_eq!(live_max_for(65_530), 15_068);
    }

    #[test]
    fn never_none_and_never_without_bound() {
        assert_eq!(live_max_for(0), 16);
        assert_eq!(live_max_for(u64::MAX), 200_000);
    }
}
