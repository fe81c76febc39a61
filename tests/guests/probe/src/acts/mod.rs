//! What a probe does on each message.

mod later;
mod lives;
mod names;
mod supervise;
mod time;

use crate::{Args, Message, Probe, Reply, SaveFault, SenderReport, faults};
use actorhost_sdk::prelude::*;

impl Probe {
    pub(crate) fn act(&mut self, message: Message, ctx: &Context<Self>) -> Reply {
        match message {
            Message::Echo { text } => {
                self.memory.seen.push(text.clone());
                return Reply::Text(text);
            }
            Message::Add { n } => {
                self.memory.total += n;
                return Reply::Number(self.memory.total);
            }
            Message::Total => return Reply::Number(self.memory.total),
            Message::Note { from, seq } => self.note(from, seq),
            Message::Report => return Reply::Report(self.memory.notes.clone()),
            Message::NoteMany {
                to,
                from,
                first,
                count,
            } => {
                let notes = (first..first + count).map(|seq| Message::Note { from, seq });
                return tell_all(ctx, to, notes);
            }
            Message::Seen => return Reply::Texts(self.memory.seen.clone()),

            Message::Panic { text } => panic!("{text}"),
            Message::Overflow => return number(faults::overflow()),
            Message::Unreachable => faults::unreachable_instruction(),
            Message::Spin => faults::spin(),
            Message::SpinFor { iterations } => return number(faults::compute(iterations)),
            Message::Allocate { bytes } => return self.allocate(bytes),
            Message::SleepMs { ms } => faults::sleep(ms),

            Message::Tell { to, text, times } => {
                return tell_all(ctx, to, (0..times).map(|_| echo(&text)));
            }
            Message::TellThenPanic { to } => {
                tell(ctx, to, "held");
                panic!("asked to panic after a tell");
            }
            Message::FlushThenPanic { to } => {
                tell(ctx, to, "flushed");
                ctx.flush();
                tell(ctx, to, "held");
                panic!("asked to panic after a flush");
            }
            Message::AskThenReply {
                to,
                text,
                timeout_ms,
            } => return ask(ctx, to, &echo(&text), timeout_ms),
            Message::AskThenPanic { to, timeout_ms } => {
                tell(ctx, to, "before");
                ask(ctx, to, &echo("asked"), timeout_ms);
                tell(ctx, to, "held");
                panic!("asked to panic after an ask");
            }
            Message::AskToSleep { to, ms, timeout_ms } => {
                return ask(ctx, to, &Message::SleepMs { ms }, timeout_ms);
            }

            Message::Spawn {
                behaviour,
                name,
                fault,
            } => {
                let args = Args {
                    fault,
                    ..Args::default()
                };
                return spawn(ctx, &behaviour, &args, name.as_deref());
            }
            Message::SpawnMany { behaviour, count } => {
                return lives::spawn_many(ctx, &behaviour, count);
            }
            Message::PublishPanic { group, text } => {
                return lives::publish_panic(ctx, &group, text);
            }
            Message::SpawnThenPanic { behaviour, name } => {
                spawn(ctx, &behaviour, &Args::default(), name.as_deref());
                panic!("asked to panic after a spawn");
            }
            Message::StopSelf => ctx.stop_self(),
            Message::Stop { target, mode } => ctx.stop(target, mode),
            Message::StopSlowly { target, ms } => {
                ctx.stop(target, StopMode::Now);
                faults::sleep(ms);
            }
            Message::Watch { target } => ctx.watch(target),
            Message::Unwatch { target } => ctx.unwatch(target),
            Message::Downs => return Reply::Downs(self.memory.downs.clone()),
            Message::Lookup { path } => {
                return Reply::Found {
                    id: ctx.lookup(&path),
                };
            }
            Message::OnStop { farewell } => self.memory.farewell = farewell,

            Message::WhoAmI => return self.me(ctx),
            Message::BigReply { bytes } => return Reply::Bytes(vec![0; size(bytes)]),
            Message::Log { text } => ctx.info(text),
            Message::Print { text } => println!("{text}"),
            Message::ReadFile { path } => return text_or_failed(std::fs::read_to_string(path)),
            Message::EnvVar { name } => return text_or_failed(std::env::var(name)),

            Message::FailLoad { fault } => self.memory.load_fault = fault,
            Message::FailSave { fault } => self.memory.save_fault = SaveFault(fault),

            Message::Record { text } => return self.record(text, ctx),
            Message::Events => return Reply::Events(self.memory.events.clone()),
            Message::ForgetEvents => self.memory.events.clear(),

            Message::SetTimer {
                key,
                after_ms,
                every_ms,
                text,
            } => return time::set(ctx, key.as_deref(), after_ms, every_ms, text),
            Message::CancelTimer { timer } => return Reply::Flag(ctx.cancel_timer(timer)),
            Message::CancelKey { key } => return Reply::Flag(ctx.cancel_key(&key)),
            Message::StashRecords { on } => return self.stash_records(on, ctx),
            Message::StashAgain => return Reply::Number(ctx.unstash_all().into()),
            Message::StashTwice => self.stash_twice(ctx),

            Message::Link { target } => return done(ctx.link(target)),
            Message::Unlink { target } => ctx.unlink(target),
            Message::TrapExit { on } => ctx.trap_exit(on),

            Message::Register { name } => return done(ctx.register(&name)),
            Message::Unregister { name } => ctx.unregister(&name),
            Message::Join { group } => return done(ctx.join(&group)),
            Message::Leave { group } => ctx.leave(&group),
            Message::Publish { group, text } => return names::publish(ctx, &group, text),
            Message::Members { group } => return Reply::Actors(ctx.members(&group)),

            Message::AskLater {
                to,
                text,
                timeout_ms,
            } => return later::ask(ctx, to, &Message::Record { text }, timeout_ms),
            Message::AskLaterToPanic { to, timeout_ms } => {
                let text = "asked for later".to_owned();
                return later::ask(ctx, to, &Message::Panic { text }, timeout_ms);
            }
            Message::AskForRecord {
                to,
                text,
                timeout_ms,
            } => return ask(ctx, to, &Message::Record { text }, timeout_ms),
            Message::KeepQuestions { on } => self.memory.keeping = on,
            Message::AnswerKept { text } => return self.answer_kept(&text, ctx),
            Message::AnswerAgain { text } => return self.answer_again(text, ctx),
            Message::Forward { to, text } => {
                return done(ctx.forward(to, &Message::Record { text }));
            }

            Message::StartChild {
                supervisor,
                id,
                restart,
                significant,
                fault,
                timeout_ms,
            } => {
                let args = Args {
                    fault,
                    ..Args::default()
                };
                let spec = ChildSpec::new(&id, "probe", &args)
                    .restart(restart)
                    .significant(significant);
                return supervise::start(ctx, &supervisor, &spec, timeout_ms);
            }
            Message::TerminateChild { supervisor, id } => {
                return done(ctx.supervisor(&supervisor).terminate(&id));
            }
            Message::RestartChild { supervisor, id } => {
                return supervise::restart(ctx, &supervisor, &id);
            }
            Message::DeleteChild { supervisor, id } => {
                return done(ctx.supervisor(&supervisor).delete(&id));
            }
            Message::CountChildren { supervisor } => return supervise::count(ctx, &supervisor),

            Message::AllThenPanic { to, name } => all_then_panic(ctx, to, &name),
        }
        Reply::Done
    }

    fn note(&mut self, from: u32, seq: u64) {
        let known = self.memory.notes.iter_mut().find(|n| n.from == from);
        match known {
            Some(note) => {
                note.count += 1;
                note.out_of_order += u64::from(seq != note.last_seq + 1);
                note.last_seq = seq;
            }
            None => self.memory.notes.push(SenderReport {
                from,
                count: 1,
                last_seq: seq,
                out_of_order: 0,
            }),
        }
    }

    fn allocate(&mut self, bytes: u64) -> Reply {
        self.hoard.push(vec![1; size(bytes)]);
        number(self.hoard.iter().map(|part| part.len() as u64).sum())
    }

    fn me(&self, ctx: &Context<Self>) -> Reply {
        Reply::Me {
            id: ctx.id(),
            path: ctx.path(),
            sender: ctx.sender(),
            token: self.memory.token,
            turns_here: self.turns_here,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            migrated_from: self.migrated_from(),
        }
    }
}

/// Every effect that is held back; none of them may be seen.
fn all_then_panic(ctx: &Context<Probe>, to: ActorRef, name: &str) -> ! {
    let record = Message::Record {
        text: "held".to_owned(),
    };
    ctx.set_timer("held", Duration::from_millis(1), &record)
        .expect("a timer");
    ctx.link(to).expect("a link");
    ctx.register(name).expect("a name");
    ctx.join(name).expect("a group");
    ctx.publish(name, &record);
    ctx.forward(to, &record).expect("room");
    ctx.ask_later(to, &record, Duration::from_secs(1))
        .expect("room");
    panic!("asked to panic after all of it");
}

fn done(result: Result<(), impl ToString>) -> Reply {
    result.map_or_else(failed, |()| Reply::Done)
}

fn echo(text: &str) -> Message {
    Message::Echo {
        text: text.to_owned(),
    }
}

/// For turns that panic afterwards, whose reply nobody sees.
fn tell(ctx: &Context<Probe>, to: ActorRef, text: &str) {
    if let Err(error) = ctx.tell(to, &echo(text)) {
        ctx.warn(format_args!("not told: {error}"));
    }
}

fn tell_all(ctx: &Context<Probe>, to: ActorRef, all: impl Iterator<Item = Message>) -> Reply {
    tell_report(all.map(|message| ctx.tell(to, &message)))
}

fn tell_report(all: impl Iterator<Item = Result<(), impl ToString>>) -> Reply {
    let (mut accepted, mut refused, mut cause) = (0, 0, None);
    for told in all {
        match told {
            Ok(()) => accepted += 1,
            Err(error) => {
                refused += 1;
                cause.get_or_insert_with(|| error.to_string());
            }
        }
    }
    Reply::Told {
        accepted,
        refused,
        cause,
    }
}

fn ask(ctx: &Context<Probe>, to: ActorRef, message: &Message, timeout_ms: u32) -> Reply {
    let timeout = Duration::from_millis(timeout_ms.into());
    ctx.ask(to, message, timeout).unwrap_or_else(failed)
}

fn spawn(ctx: &Context<Probe>, behaviour: &str, args: &Args, name: Option<&str>) -> Reply {
    match ctx.spawn(behaviour, args, name) {
        Ok(id) => Reply::Spawned { id },
        Err(error) => failed(error),
    }
}

fn text_or_failed(result: Result<String, impl ToString>) -> Reply {
    result.map_or_else(failed, Reply::Text)
}

fn failed(cause: impl ToString) -> Reply {
    Reply::Failed {
        cause: cause.to_string(),
    }
}

/// Above what a list can have it is as much as there is, which no limit allows.
fn size(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

fn number(n: u64) -> Reply {
    Reply::Number(n.cast_signed())
}
