//! What a manifest wants run: every spec is checked against its module first, then
//! behaviours are deployed, pools made and supervisors started.

use super::{
    Host, SpecErrors, UpError,
    specs::{behaviour_spec, budget, child_spec, plain, pool_spec},
};
use crate::behaviour::WasmModule;
use actorhost_core::{
    ChildSpec,
    spec::RestartBudget,
    supervisor::{self, ChildEntry, SupervisorSpec},
};
use actorhost_wire::manifest::{self, ChildKind, Manifest};
use std::collections::HashMap;

/// Everything to be run, checked.
pub struct Plan {
    behaviours: Vec<(String, WasmModule, ChildSpec)>,
    pools: Vec<(String, ChildSpec, RestartBudget)>,
    supervisors: Vec<SupervisorSpec>,
}

impl Plan {
    /// Checks a manifest against the modules of its behaviours.
    ///
    /// # Errors
    /// Everything that the modules cannot do.
    pub fn of(
        manifest: &Manifest,
        modules: HashMap<String, WasmModule>,
    ) -> Result<Self, SpecErrors> {
        let mut plan = Self {
            behaviours: Vec::new(),
            pools: Vec::new(),
            supervisors: Vec::new(),
        };
        let mut check = Check {
            manifest,
            modules,
            errors: SpecErrors::default(),
        };
        for behaviour in &manifest.behaviours {
            let module = &check.modules[&behaviour.name];
            let spec = behaviour_spec(behaviour, module);
            let module = module.clone();
            if let Some(spec) = check.errors.keep(spec) {
                plan.behaviours.push((behaviour.name.clone(), module, spec));
            }
        }
        for supervisor in &manifest.supervisors {
            let path = format!("/{}", supervisor.name);
            let spec = check.supervisor(&supervisor.name, &path, supervisor);
            plan.supervisors.push(spec);
        }
        for pool in &manifest.pools {
            let (behaviour, module) = check.known(&pool.actor.behaviour);
            let spec = pool_spec(&format!("/{}", pool.name), pool, behaviour, module);
            if let Some(spec) = check.errors.keep(spec) {
                let budget = budget(pool.budget);
                plan.pools.push((pool.name.clone(), spec, budget));
            }
        }
        check.errors.or(plan)
    }

    /// Does it, and waits until every supervisor has started.
    ///
    /// # Errors
    /// When a pool cannot be made or a child does not start.
    pub async fn carry_out(self, host: &Host) -> Result<(), UpError> {
        for (name, module, spec) in self.behaviours {
            host.node.deploy(&name, module, spec);
        }
        for (name, spec, budget) in self.pools {
            let added = host.node.add_pool(&name, spec, budget);
            added.map_err(|error| UpError::Pool { pool: name, error })?;
        }
        for supervisor in self.supervisors {
            host.node.start_supervisor(supervisor).await?;
        }
        Ok(())
    }
}

/// A check under way.
struct Check<'m> {
    manifest: &'m Manifest,
    modules: HashMap<String, WasmModule>,
    errors: SpecErrors,
}

impl Check<'_> {
    fn known(&self, name: &str) -> (&manifest::Behaviour, &WasmModule) {
        let behaviour = self.manifest.behaviour(name);
        let behaviour = behaviour.expect("a checked manifest knows its behaviours");
        (behaviour, &self.modules[name])
    }

    /// A supervisor with its children, those that are wrong left out. As somebody's
    /// child it has that child's name.
    fn supervisor(
        &mut self,
        name: &str,
        path: &str,
        tree: &manifest::Supervisor,
    ) -> SupervisorSpec {
        let mut children = Vec::new();
        for child in &tree.children {
            let path = format!("{path}/{}", child.name);
            let kind = match &child.kind {
                ChildKind::Actor(actor) => {
                    let (behaviour, module) = self.known(&actor.behaviour);
                    let spec = child_spec(&path, actor, behaviour, module);
                    let Some(spec) = self.errors.keep(spec) else {
                        continue;
                    };
                    supervisor::ChildKind::Actor(spec)
                }
                ChildKind::Supervisor(nested) => supervisor::ChildKind::Supervisor {
                    spec: self.supervisor(&child.name, &path, nested),
                    restart: plain::restart(nested.restart),
                },
            };
            children.push(ChildEntry {
                id: child.name.clone(),
                significant: child.significant,
                kind,
            });
        }
        SupervisorSpec {
            name: name.into(),
            strategy: plain::strategy(tree.strategy),
            budget: budget(tree.budget),
            auto_shutdown: plain::auto_shutdown(tree.auto_shutdown),
            children,
        }
    }
}
