//! One user's place in a chat: says what its user says, keeps what the room says.

use actorhost_sdk::prelude::*;
use chat_words::{News, ToLobby, ToMember, group};
use std::time::Duration;

/// News kept, the oldest dropped.
const HEARD_MAX: usize = 100;

/// Key of the timer that runs while the user is silent.
const IDLE: &str = "idle";

/// Who comes where.
#[derive(Debug, Clone, Serialize, Deserialize, Schema)]
pub struct Ticket {
    /// The user's name.
    pub name: String,
    /// The room.
    pub room: String,
    /// Silence after which the room hears that the user is away, in milliseconds.
    pub idle_ms: u64,
}

/// What a member answers.
#[derive(Debug, PartialEq, Serialize, Deserialize, Schema)]
pub enum Reply {
    /// Done.
    Done,
    /// The others who were told.
    Told(u32),
    /// What was heard, oldest first.
    Heard(Vec<News>),
}

/// A member of one room.
#[derive(Serialize, Deserialize, Schema)]
pub struct Member {
    ticket: Ticket,
    heard: Vec<News>,
    away: bool,
}

#[actor(name = "member")]
impl Actor for Member {
    type Args = Ticket;
    type Message = ToMember;
    type Reply = Reply;

    fn init(ticket: Ticket, ctx: &mut Context<Self>) -> Result<Self, InitError> {
        let lobby = ctx.lookup("/chat/lobby").ok_or("the lobby is closed")?;
        ctx.join(&group(&ticket.room))?;
        let came = ToLobby::Came {
            name: ticket.name.clone(),
            room: ticket.room.clone(),
        };
        ctx.tell(lobby, &came)?;
        let member = Self {
            ticket,
            heard: Vec::new(),
            away: false,
        };
        member.wait_for_silence(ctx)?;
        Ok(member)
    }

    fn handle(&mut self, message: ToMember, ctx: &mut Context<Self>) -> Reply {
        match message {
            ToMember::Say(text) => {
                self.away = false;
                if let Err(error) = self.wait_for_silence(ctx) {
                    ctx.warn(error);
                }
                let from = self.ticket.name.clone();
                Reply::Told(self.tell_room(News::Said { from, text }, ctx))
            }
            ToMember::Heard => Reply::Heard(self.heard.clone()),
            ToMember::Leave => {
                ctx.leave(&group(&self.ticket.room));
                ctx.stop_self();
                Reply::Done
            }
            ToMember::News(news) => {
                if self.heard.len() == HEARD_MAX {
                    self.heard.remove(0);
                }
                self.heard.push(news);
                Reply::Done
            }
            ToMember::Idle => {
                self.away = true;
                let away = News::Away(self.ticket.name.clone());
                Reply::Told(self.tell_room(away, ctx))
            }
        }
    }
}

impl Member {
    /// Begins the silence anew: the timer of the same key is replaced.
    fn wait_for_silence(&self, ctx: &Context<Self>) -> Result<(), TimerError> {
        let after = Duration::from_millis(self.ticket.idle_ms);
        ctx.set_timer(IDLE, after, &ToMember::Idle)?;
        Ok(())
    }

    fn tell_room(&self, news: News, ctx: &Context<Self>) -> u32 {
        let told = ctx.publish(&group(&self.ticket.room), &ToMember::News(news));
        told.accepted
    }
}
