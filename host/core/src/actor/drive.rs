//! One batch of an actor's work: system messages first, then user messages, up to
//! the throughput.

use super::{
    Cell, Life, Phase, Saved, StopBy, System, flight::Flight, life::Incarnation, pause::Delay,
};
use crate::{
    CrashKind, Engine, Envelope, ExitReason, Instance, Payload,
    mailbox::{Closed, Letter, Next},
    node::Parent,
    spec::Directive,
    turn::StopMode,
};
use std::{
    pin::pin,
    sync::{Arc, atomic::Ordering},
};

/// Works until the mailbox is empty, the life cannot go on, or the throughput is
/// reached. True when there is more to do.
pub(super) async fn batch<E: Engine>(cell: Arc<Cell<E>>, mut life: Life<E>) -> (Life<E>, bool) {
    let mut turns = 0;
    loop {
        // A sleeper's message stays in the mailbox until there is an instance.
        let awake = matches!(life, Life::Awake(_));
        match cell.mailbox.next(awake) {
            Next::System(message) => life = Box::pin(system(&cell, life, message)).await,
            Next::User(letter) => life = turn(&cell, life, letter).await,
            Next::Empty if matches!(life, Life::Asleep(_)) && cell.mailbox.has_next(true) => {
                life = Box::pin(cell.wake(life)).await;
            }
            Next::Empty if awake && gives_instance_back(&cell, &life) => {
                life = Box::pin(give_back(&cell, life)).await;
            }
            Next::Empty => {
                let draining = matches!(cell.mailbox.closed(), Some(Closed::Draining));
                if draining && matches!(life, Life::Awake(_) | Life::Asleep(_)) {
                    life = Box::pin(cell.end_orderly(life, ExitReason::Shutdown)).await;
                }
                if let Life::Delayed(delay) = life {
                    life = Box::pin(after_delay(&cell, delay)).await;
                    continue;
                }
                return (life, false);
            }
        }
        if matches!(life, Life::Ended) {
            return (life, false);
        }
        turns += 1;
        if turns >= cell.spec.throughput {
            return (life, true);
        }
    }
}

/// Whether an idle actor's instance is better used by somebody who waits for one. The
/// search for idle actors finds those that are idle when it looks; this one became it
/// later.
fn gives_instance_back<E: Engine>(cell: &Cell<E>, life: &Life<E>) -> bool {
    cell.node.live.is_crowded()
        && matches!(life, Life::Awake(incarnation) if !incarnation.stays_awake)
        && cell.mailbox.closed().is_none()
        && cell.may_hibernate()
}

async fn give_back<E: Engine>(cell: &Arc<Cell<E>>, life: Life<E>) -> Life<E> {
    match life {
        Life::Awake(incarnation) => cell.fall_asleep(incarnation).await,
        life => life,
    }
}

async fn turn<E: Engine>(cell: &Arc<Cell<E>>, life: Life<E>, letter: Letter) -> Life<E> {
    let Life::Awake(mut incarnation) = life else {
        unreachable!("user messages are taken by a live incarnation only");
    };
    let Letter {
        sender,
        payload,
        reply,
        accepted_ms,
        crashes,
        tick,
    } = letter;
    let sender = sender.id();
    let is_tick = tick.is_some();
    if let Some(tick) = tick
        && !cell.take_tick(tick)
    {
        return Life::Awake(incarnation);
    }
    let Some(payload) = cell.still_wanted(payload) else {
        return Life::Awake(incarnation);
    };
    let mut flight = Flight::new(cell, sender, &payload, accepted_ms, crashes);
    if is_tick {
        flight.ends_with_the_life();
    }
    let wants_reply = reply.is_some();
    incarnation
        .instance
        .turn()
        .take_in_hand(sender, reply, flight.is_message());
    let envelope = Envelope {
        sender,
        wants_reply,
        payload,
    };
    let handled = cell
        .bounded(pin!(incarnation.instance.handle(envelope)))
        .await;
    match handled {
        Ok(reply) => {
            let turn = incarnation.instance.turn();
            turn.commit();
            let stop_self = turn.take_stop_self();
            if turn.take_stashed() {
                flight.stashed(turn.let_go());
            } else {
                flight.done(turn.let_go(), reply);
                cell.figures.handled.fetch_add(1, Ordering::Relaxed);
            }
            if let Some(mode) = stop_self {
                return Box::pin(stop_self_now(cell, Life::Awake(incarnation), mode)).await;
            }
            if cell.spec.on_crash.mention(Directive::Resume) {
                return keep_good_state(cell, incarnation).await;
            }
            Life::Awake(incarnation)
        }
        Err(crash) => {
            let turn = incarnation.instance.turn();
            turn.roll_back();
            flight.crashed(turn.let_go(), &crash);
            let good = incarnation.good.take();
            drop(incarnation);
            Box::pin(cell.after_crash(crash, good)).await
        }
    }
}

/// Saves the state that a crash in the next turn goes back to.
async fn keep_good_state<E: Engine>(
    cell: &Arc<Cell<E>>,
    mut incarnation: Box<Incarnation<E>>,
) -> Life<E> {
    let called = cell.bounded(pin!(incarnation.instance.save())).await;
    match called {
        Ok(state) => {
            incarnation.instance.turn().roll_back();
            incarnation.good = Some(Saved {
                state,
                version: incarnation.version.clone(),
            });
            Life::Awake(incarnation)
        }
        Err(crash) => {
            let good = incarnation.good.take();
            drop(incarnation);
            Box::pin(cell.after_crash(crash, good)).await
        }
    }
}

async fn stop_self_now<E: Engine>(cell: &Arc<Cell<E>>, life: Life<E>, mode: StopMode) -> Life<E> {
    match mode {
        StopMode::Drain => {
            cell.mailbox.drain();
            life
        }
        StopMode::Now => cell.end_of_life(life, ExitReason::Normal).await,
        StopMode::Kill => {
            drop(life);
            cell.after_kill(StopBy::Signal).await
        }
    }
}

/// A delayed restart, or what comes before it.
async fn after_delay<E: Engine>(cell: &Arc<Cell<E>>, delay: Box<Delay<E>>) -> Life<E> {
    match cell.wait_for_restart(delay.until_ms).await {
        Some(message) => system(cell, Life::Delayed(delay), message).await,
        None => {
            cell.next_life(delay.good, delay.resume, delay.after_ms)
                .await
        }
    }
}

async fn system<E: Engine>(cell: &Arc<Cell<E>>, life: Life<E>, message: System<E>) -> Life<E> {
    match (message, life) {
        (System::Start, Life::Unborn) => cell.first_life().await,
        (System::Restart { resume, after_ms }, Life::Between(good)) if after_ms > 0 => {
            Life::Delayed(Box::new(Delay {
                good,
                resume,
                after_ms,
                until_ms: cell.node.clock.now_ms().saturating_add(after_ms),
            }))
        }
        (System::Restart { resume, .. }, Life::Between(good)) => {
            cell.next_life(good, resume, 0).await
        }
        (System::Conclude { reason, exhausted }, Life::Between(_)) => {
            cell.conclude(reason, exhausted).await
        }
        (System::Pause(pause), life) => cell.pause(life, pause).await,
        (System::Renew(renewal), life @ (Life::Awake(_) | Life::Asleep(_) | Life::Delayed(_)))
            if renewal.begin() =>
        {
            cell.say_goodbye(life, &ExitReason::Shutdown).await;
            cell.end_belongings(&ExitReason::Shutdown);
            cell.next_life(None, false, 0).await
        }
        (System::Stop { mode, by }, life) => stop(cell, life, mode, by).await,
        (System::Sleep, Life::Awake(incarnation)) if cell.mailbox.is_empty() => {
            cell.fall_asleep(incarnation).await
        }
        (System::Sleep, life @ Life::Awake(_)) => {
            // Busy again: back into the ring of those that may be put to sleep.
            cell.node.live.enlist(cell);
            life
        }
        (System::Swap(ticket), life) => cell.swap(life, ticket).await,
        (System::ExitSignal, life) => cell.hear_signal(life).await,
        // An order for a state that has passed.
        (System::Start | System::Restart { .. } | System::Conclude { .. }, life)
        | (System::Renew(_) | System::Sleep, life) => life,
    }
}

async fn stop<E: Engine>(
    cell: &Arc<Cell<E>>,
    life: Life<E>,
    mode: StopMode,
    by: StopBy,
) -> Life<E> {
    match mode {
        StopMode::Drain => {
            cell.mailbox.drain();
            match life {
                // It waits for its supervisor, which may be the one that stops it.
                Life::Between(_) if matches!(cell.parent, Parent::Supervisor(_)) => {
                    cell.conclude(ExitReason::Shutdown, false).await
                }
                Life::Unborn | Life::Delayed(_) => cell.conclude(ExitReason::Shutdown, false).await,
                life => life,
            }
        }
        StopMode::Now | StopMode::Kill => match by {
            StopBy::Order | StopBy::Pause | StopBy::Renew => {
                cell.end_orderly(life, ExitReason::Shutdown).await
            }
            StopBy::Signal => cell.end_of_life(life, ExitReason::Shutdown).await,
        },
    }
}

impl<E: Engine> Cell<E> {
    /// What a letter carries, unless it is a notice that this life has not asked for
    /// or has taken back.
    #[inline]
    fn still_wanted(self: &Arc<Self>, payload: Payload) -> Option<Payload> {
        if matches!(payload, Payload::Message(_)) {
            return Some(payload);
        }
        self.wanted_notice(payload)
    }

    #[cold]
    fn wanted_notice(self: &Arc<Self>, notice: Payload) -> Option<Payload> {
        match notice {
            Payload::Down { who, .. } if !self.keep.lock().watching.remove(&who) => None,
            Payload::Exit { who, .. } => {
                let reason = self.keep.lock().take_exit_notice(who)?;
                Some(Payload::Exit { who, reason })
            }
            Payload::Reply { ask, outcome } if !self.asked_by_this_life(ask) => {
                self.bury_outcome(*outcome);
                None
            }
            notice => Some(notice),
        }
    }

    /// A turn's end at which the instance is given back: its state becomes bytes.
    async fn fall_asleep(self: &Arc<Self>, mut incarnation: Box<Incarnation<E>>) -> Life<E> {
        let called = self.bounded(pin!(incarnation.instance.save())).await;
        match called {
            Ok(state) => {
                incarnation.instance.turn().roll_back();
                let version = incarnation.version.clone();
                drop(incarnation);
                self.set_phase(Phase::Asleep);
                self.figures.memory.store(0, Ordering::Relaxed);
                Life::Asleep(Saved { state, version })
            }
            // It only said no: it stays awake, and is not asked again in this life.
            Err(crash) if crash.kind == CrashKind::SaveFailed => {
                incarnation.instance.turn().roll_back();
                incarnation.stays_awake = true;
                Life::Awake(incarnation)
            }
            Err(crash) => {
                let good = incarnation.good.take();
                drop(incarnation);
                self.after_crash(crash, good).await
            }
        }
    }
}
