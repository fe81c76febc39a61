//! How much an instance may hold: memory summed over all its memories, tables, and
//! the parts that a component is made of.

use super::pool;
use wasmtime::ResourceLimiter;

/// Instances, tables and memories of one component: far above what a compiler
/// makes (3, 2 and 1 for Rust), so that only a hostile component meets it.
const PARTS_MAX: usize = 64;

/// A request for memory that was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Refusal {
    /// What the guest would have held, in bytes.
    pub(super) wanted: u64,
    /// What it may hold, in bytes.
    pub(super) limit: u64,
}

/// Counts what one instance holds. A refused growth is a value in the guest's hand
/// (`memory.grow` gives -1), and is remembered so that the crash that mostly
/// follows can name the limit.
#[derive(Debug)]
pub(super) struct Limiter {
    memory_limit: u64,
    memory_bytes: u64,
    last_growth: u64,
    table_elements: usize,
    refused: Option<Refusal>,
}

impl Limiter {
    pub(super) fn new(memory_limit: u64) -> Self {
        Self {
            memory_limit,
            memory_bytes: 0,
            last_growth: 0,
            table_elements: 0,
            refused: None,
        }
    }

    /// Linear memory held now, in bytes.
    pub(super) fn memory_bytes(&self) -> u64 {
        self.memory_bytes
    }

    /// The last growth refused since [`Limiter::begin_call`].
    pub(super) fn refused(&self) -> Option<Refusal> {
        self.refused
    }

    /// Forgets refusals that the guest has got over.
    pub(super) fn begin_call(&mut self) {
        self.refused = None;
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        // Over the memory's own maximum the growth fails, whatever is said here.
        if maximum.is_some_and(|maximum| desired > maximum) {
            self.last_growth = 0;
            return Ok(false);
        }
        let growth = desired.saturating_sub(current) as u64;
        let wanted = self.memory_bytes + growth;
        if wanted > self.memory_limit {
            self.refused = Some(Refusal {
                wanted,
                limit: self.memory_limit,
            });
            return Ok(false);
        }
        if desired as u64 > pool::MEMORY_BYTES_MAX {
            self.refused = Some(Refusal {
                wanted: desired as u64,
                limit: pool::MEMORY_BYTES_MAX,
            });
            return Ok(false);
        }
        self.memory_bytes = wanted;
        self.last_growth = growth;
        Ok(true)
    }

    fn memory_grow_failed(&mut self, _: wasmtime::Error) -> wasmtime::Result<()> {
        self.memory_bytes -= self.last_growth;
        self.last_growth = 0;
        Ok(())
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let wanted = self.table_elements + desired.saturating_sub(current);
        if wanted > pool::TABLE_ELEMENTS_MAX {
            return Ok(false);
        }
        self.table_elements = wanted;
        Ok(true)
    }

    fn instances(&self) -> usize {
        PARTS_MAX
    }

    fn tables(&self) -> usize {
        PARTS_MAX
    }

    fn memories(&self) -> usize {
        PARTS_MAX
    }
}

#[cfg(test)]
mod tests {
    use super::{Limiter, Refusal};
    use crate::behaviour::pool::MEMORY_BYTES_MAX;
    use wasmtime::ResourceLimiter;

    #[test]
    fn memories_are_summed() {
        let mut limiter = Limiter::new(300);
        assert!(limiter.memory_growing(0, 100, None).unwrap());
        assert!(limiter.memory_growing(0, 150, None).unwrap());
        assert!(!limiter.memory_growing(100, 151, None).unwrap());
        assert_eq!(
            limiter.refused(),
            Some(Refusal {
                wanted: 301,
                limit: 300
            })
        );
        assert!(limiter.memory_growing(100, 150, None).unwrap());
        assert_eq!(limiter.memory_bytes(), 300);
    }

    #[test]
    fn a_new_call_forgets_what_an_old_one_was_refused() {
        let mut limiter = Limiter::new(10);
        assert!(!limiter.memory_growing(0, 11, None).unwrap());
        limiter.begin_call();
        assert_eq!(limiter.refused(), None);
    }

    #[test]
    fn a_growth_that_fails_later_is_not_counted() {
        let mut limiter = Limiter::new(100);
        assert!(limiter.memory_growing(0, 60, None).unwrap());
        limiter
            .memory_grow_failed(wasmtime::Error::msg("no room"))
            .unwrap();
        assert_eq!(limiter.memory_bytes(), 0);
        // Over the memory's own maximum: wasmtime reports the failure too.
        assert!(!limiter.memory_growing(0, 60, Some(50)).unwrap());
        limiter
            .memory_grow_failed(wasmtime::Error::msg("over its maximum"))
            .unwrap();
        assert_eq!(limiter.memory_bytes(), 0);
        assert_eq!(limiter.refused(), None);
    }

    #[test]
    fn no_memory_outgrows_its_place_in_the_pool() {
        let mut limiter = Limiter::new(u64::MAX / 2);
        let over = MEMORY_BYTES_MAX as usize + 1;
        assert!(!limiter.memory_growing(0, over, None).unwrap());
        assert_eq!(limiter.refused().unwrap().limit, MEMORY_BYTES_MAX);
    }
}
