//! Questions and answers for later, and timers.

use crate::{
    ActorRef, AskId, ReplyError, SendError, TimerError, TimerId,
    testing::{Effect, MockNode, node::Timer},
};

impl MockNode {
    pub(crate) fn ask_later(
        &self,
        to: ActorRef,
        message: Vec<u8>,
        timeout_ms: u32,
    ) -> Result<u64, SendError> {
        self.refusal(to)?;
        let ask = AskId::from_raw(self.next_number());
        self.record(Effect::AskLater {
            to,
            message,
            timeout_ms,
            ask,
        });
        let mut state = self.state();
        let due_ms = state.now_ms.saturating_add(timeout_ms.into());
        state.life.asks.push((ask, due_ms));
        Ok(ask.raw())
    }

    pub(crate) fn reply_later(&self) -> Option<u64> {
        let wanted = std::mem::take(&mut self.state().handling.wants_reply);
        if !wanted {
            return None;
        }
        let token = self.next_number();
        self.state().life.tokens.push(token);
        self.record(Effect::ReplyLater);
        Some(token)
    }

    pub(crate) fn reply(&self, token: u64, reply: Vec<u8>) -> Result<(), ReplyError> {
        {
            let mut state = self.state();
            let open = state.life.tokens.iter().position(|open| *open == token);
            let open = open.ok_or(ReplyError::UnknownToken)?;
            state.life.tokens.remove(open);
            if state.planned.late.remove(&token) {
                return Err(ReplyError::Late);
            }
        }
        self.record(Effect::Reply { reply });
        Ok(())
    }

    pub(crate) fn forward(&self, to: ActorRef, message: Vec<u8>) -> Result<(), SendError> {
        self.refusal(to)?;
        self.state().handling.wants_reply = false;
        self.record(Effect::Forward { to, message });
        Ok(())
    }

    pub(crate) fn set_timer(
        &self,
        key: Option<&str>,
        message: Vec<u8>,
        after_ms: u64,
        every_ms: Option<u64>,
    ) -> Result<u64, TimerError> {
        if key.is_some_and(|key| key.is_empty() || key.len() > 128) {
            return Err(TimerError::BadKey);
        }
        if let Some(error) = self.state().planned.timers.pop_front() {
            return Err(error);
        }
        let timer = TimerId::from_raw(self.next_number());
        let key = key.map(str::to_owned);
        self.record(Effect::SetTimer {
            timer,
            key: key.clone(),
            message: message.clone(),
            after_ms,
            every_ms,
        });
        let mut state = self.state();
        if key.is_some() {
            state.life.timers.retain(|other| other.key != key);
        }
        let due_ms = state.now_ms.saturating_add(after_ms);
        state.life.timers.push(Timer {
            id: timer,
            key,
            message,
            due_ms,
            every_ms,
        });
        Ok(timer.raw())
    }

    pub(crate) fn cancel_timer(&self, timer: u64) -> bool {
        let timer = TimerId::from_raw(timer);
        self.record(Effect::CancelTimer(timer));
        self.cancel(|set| set.id == timer)
    }

    pub(crate) fn cancel_timer_key(&self, key: &str) -> bool {
        self.record(Effect::CancelTimerKey(key.to_owned()));
        self.cancel(|set| set.key.as_deref() == Some(key))
    }

    fn cancel(&self, is_meant: impl Fn(&Timer) -> bool) -> bool {
        let timers = &mut self.state().life.timers;
        let before = timers.len();
        timers.retain(|timer| !is_meant(timer));
        timers.len() < before
    }
}
