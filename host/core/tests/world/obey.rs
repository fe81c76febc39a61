//! What a native behaviour does when it is asked for something.

use super::{
    cmd::{Cmd, Manage, bytes},
    native::{NativeInstance, crash, give_way},
    ties,
};
use actorhost_core::{ActorId, Crash, RestartType, StopMode, turn::NewChild};
use bytes::Bytes;

impl NativeInstance {
    pub(super) fn me(&self) -> u64 {
        self.turn.self_id().0
    }

    pub(super) fn act(&mut self, ties: Vec<ties::Tie>) -> String {
        let acts = ties.into_iter();
        let results: Vec<_> = acts
            .map(|tie| ties::act(&mut self.turn, &mut self.on_stop, tie))
            .collect();
        results.join(",")
    }

    pub(super) async fn obey(&mut self, cmd: Cmd) -> Result<Option<Bytes>, Crash> {
        let reply = match cmd {
            Cmd::Take {
                from,
                seq,
                crash: crashes,
                yields,
            } => {
                give_way(yields).await;
                if crashes {
                    return Err(crash("take"));
                }
                self.record
                    .lock()
                    .taken
                    .push((from, self.turn.self_id().0, seq));
                String::new()
            }
            Cmd::Send {
                to,
                seq,
                crash_there,
                crash_here,
                yields,
            } => {
                let from = self.me();
                let message = bytes(&Cmd::Take {
                    from,
                    seq,
                    crash: crash_there,
                    yields,
                });
                let accepted = self.turn.tell(ActorId(to), message).await.is_ok();
                give_way(yields).await;
                if crash_here {
                    return Err(crash("send"));
                }
                if accepted {
                    self.record.lock().sent.push((from, to, seq));
                }
                String::new()
            }
            Cmd::Count => self.handled.to_string(),
            Cmd::Add(n) => {
                self.number += n;
                self.number.to_string()
            }
            Cmd::Crash => return Err(crash("ordered")),
            Cmd::Yield(times) => {
                give_way(times).await;
                String::new()
            }
            Cmd::Spin => loop {
                give_way(u32::MAX).await;
            },
            Cmd::Ask { to, timeout_ms } => {
                match self
                    .turn
                    .ask(ActorId(to), bytes(&Cmd::Count), timeout_ms)
                    .await
                {
                    Ok(reply) => String::from_utf8_lossy(&reply).into_owned(),
                    Err(error) => error.to_string(),
                }
            }
            Cmd::Spawn {
                name,
                crash: crashes,
            } => {
                let spawned = self.turn.spawn("b", Bytes::new(), Some(&name));
                if crashes {
                    return Err(crash("spawn"));
                }
                spawned.map_or_else(|error| error.to_string(), |id| id.0.to_string())
            }
            Cmd::StopSelf => {
                self.turn.stop(self.turn.self_id(), StopMode::Now);
                "bye".into()
            }
            Cmd::Stop { to, kill } => {
                let mode = if kill { StopMode::Kill } else { StopMode::Now };
                self.turn.stop(ActorId(to), mode);
                String::new()
            }
            Cmd::Watch(to) => {
                self.turn.watch(ActorId(to));
                String::new()
            }
            Cmd::Unwatch(to) => {
                self.turn.unwatch(ActorId(to));
                String::new()
            }
            Cmd::RefuseSave => {
                self.refuses_save = true;
                String::new()
            }
            Cmd::Downs => self.downs.join(","),
            Cmd::Flood { to, times } => {
                let mut last = String::new();
                for _ in 0..times {
                    last = match self.turn.tell(ActorId(to), bytes(&Cmd::Add(1))).await {
                        Ok(()) => "ok".into(),
                        Err(error) => error.to_string(),
                    };
                }
                last
            }
            Cmd::FlushThenCrash { to } => {
                let _ = self.turn.tell(ActorId(to), bytes(&Cmd::Add(1))).await;
                self.turn.flush();
                return Err(crash("after flush"));
            }
            Cmd::Later { crash: crashes } => {
                self.tokens.extend(self.turn.reply_later());
                if crashes {
                    return Err(crash("later"));
                }
                "not used".into()
            }
            Cmd::AnswerLater {
                text,
                crash: crashes,
            } => {
                let mut results = Vec::new();
                for &token in &self.tokens {
                    let answer = self.turn.reply(token, text.clone().into());
                    results.push(answer.map_or_else(|error| error.to_string(), |()| "ok".into()));
                }
                if crashes {
                    return Err(crash("answer"));
                }
                results.join(",")
            }
            Cmd::Forward {
                to,
                cmd,
                crash: crashes,
            } => {
                let handed_on = self.turn.forward(ActorId(to), bytes(&cmd));
                if crashes {
                    return Err(crash("forward"));
                }
                handed_on.map_or_else(|error| error.to_string(), |()| "not used".into())
            }
            Cmd::Whence => {
                let sender = self.sender.map_or("outside".into(), |id| id.0.to_string());
                self.record.lock().log.push(format!("whence {sender}"));
                sender
            }
            Cmd::AskThat {
                to,
                cmd,
                timeout_ms,
            } => match self.turn.ask(ActorId(to), bytes(&cmd), timeout_ms).await {
                Ok(reply) => String::from_utf8_lossy(&reply).into_owned(),
                Err(error) => error.to_string(),
            },
            Cmd::ShutDown { timeout_ms } => {
                let node = ties::node();
                let summary = node.shutdown(timeout_ms).await;
                format!("{summary:?}")
            }
            Cmd::Stream { to, first, count } => self.stream(to, first, count).await,
            Cmd::Gate { seq } => self.gate(seq),
            Cmd::Open => self.open(),
            Cmd::StashAgain => self.stash_again(),
            Cmd::StashFirst { seq } => self.stash_first(seq),
            Cmd::StashThenCrash => return Err(self.stash_then_crash()),
            Cmd::TakeAfterCrash { seq } => self.take_after_crash(seq)?,
            Cmd::Low(item) | Cmd::Mid(item) | Cmd::High(item) => self.item(item).await?,
            Cmd::HoldName(name) => {
                self.turn.register(&name).expect("the name is free");
                std::future::pending().await
            }
            Cmd::Ties {
                ties,
                crash: crashes,
            } => {
                let results = self.act(ties);
                if crashes {
                    return Err(crash("ties"));
                }
                results
            }
            Cmd::Sleep { ms, times } => {
                for _ in 0..times {
                    self.timers.sleep(ms).await;
                }
                "slept".into()
            }
            Cmd::Manage {
                supervisor,
                what,
                timeout_ms,
            } => self.manage(&supervisor, what, timeout_ms).await,
            Cmd::Hog => {
                self.record.lock().log.push("hog".into());
                while !self.record.lock().free {
                    std::thread::yield_now();
                }
                "freed".into()
            }
            Cmd::AskLater {
                to,
                cmd,
                timeout_ms,
                crash: crashes,
            } => {
                let asked = self.turn.ask_later(ActorId(to), bytes(&cmd), timeout_ms);
                if crashes {
                    return Err(crash("ask later"));
                }
                asked.map_or_else(|error| error.to_string(), |ask| ask.to_string())
            }
            Cmd::SetTimer {
                key,
                cmd,
                after_ms,
                every_ms,
                crash: crashes,
            } => {
                let message = bytes(&cmd);
                let set = self
                    .turn
                    .set_timer(key.as_deref(), message, after_ms, every_ms);
                if crashes {
                    return Err(crash("set timer"));
                }
                set.map_or_else(|error| error.to_string(), |timer| timer.to_string())
            }
            Cmd::CancelKey {
                key,
                crash: crashes,
            } => {
                let was_set = self.turn.cancel_timer_key(&key);
                if crashes {
                    return Err(crash("cancel timer"));
                }
                was_set.to_string()
            }
            Cmd::SetTimers { times, after_ms } => {
                let mut set = 0;
                let mut set_one = || {
                    let message = bytes(&Cmd::Add(1));
                    self.turn
                        .set_timer(None, message, after_ms, None)
                        .map(|_| set += 1)
                };
                let refused = (0..times).find_map(|_| set_one().err());
                refused.map_or_else(|| set.to_string(), |error| format!("{set} {error}"))
            }
            Cmd::CancelTimer(timer) => self.turn.cancel_timer(timer).to_string(),
            Cmd::SetAndCancel => {
                let message = bytes(&Cmd::Add(1));
                let set = self.turn.set_timer(Some("both"), message, 5, None);
                let timer = set.expect("the quota allows it");
                let twice = (self.turn.cancel_timer(timer), self.turn.cancel_timer(timer));
                format!("{twice:?}")
            }
        };
        Ok(Some(reply.into_bytes().into()))
    }
}

impl NativeInstance {
    async fn manage(&mut self, supervisor: &str, what: Manage, timeout_ms: u64) -> String {
        let turn = &mut self.turn;
        let done = match what {
            Manage::Start(id) => {
                let child = NewChild {
                    id: &id,
                    behaviour: "b",
                    args: Bytes::new(),
                    restart: RestartType::Transient,
                    significant: false,
                };
                let started = turn.start_child(supervisor, child, timeout_ms).await;
                started.map(|id| id.0.to_string())
            }
            Manage::Terminate(id) => {
                let done = turn.terminate_child(supervisor, &id, timeout_ms).await;
                done.map(|()| "ok".into())
            }
            Manage::Restart(id) => {
                let restarted = turn.restart_child(supervisor, &id, timeout_ms).await;
                restarted.map(|id| id.0.to_string())
            }
            Manage::Delete(id) => {
                let done = turn.delete_child(supervisor, &id, timeout_ms).await;
                done.map(|()| "ok".into())
            }
            Manage::Count => {
                let counts = turn.count_children(supervisor, timeout_ms).await;
                counts.map(|counts| format!("{}/{}", counts.active, counts.specs))
            }
        };
        done.unwrap_or_else(|error| error.to_string())
    }
}
