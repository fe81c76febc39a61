//! The lobby of a chat: knows who is in which room, and tells a room whom it lost.

use actorhost_sdk::prelude::*;
use chat_words::{News, ToLobby, ToMember, group};

/// What the lobby answers.
#[derive(Debug, PartialEq, Serialize, Deserialize, Schema)]
pub enum Reply {
    /// Done.
    Done,
    /// Names in a room, in order of coming.
    In(Vec<String>),
}

/// Everybody who is in.
#[derive(Default, Serialize, Deserialize, Schema)]
pub struct Lobby {
    present: Vec<Guest>,
}

#[derive(Serialize, Deserialize, Schema)]
struct Guest {
    who: ActorRef,
    name: String,
    room: String,
}

#[actor(name = "lobby")]
impl Actor for Lobby {
    type Args = ();
    type Message = ToLobby;
    type Reply = Reply;

    fn handle(&mut self, message: ToLobby, ctx: &mut Context<Self>) -> Reply {
        match message {
            ToLobby::Came { name, room } => {
                if let Some(who) = ctx.sender() {
                    self.came(who, name, room, ctx);
                }
                Reply::Done
            }
            ToLobby::Who { room } => {
                let here = self.present.iter().filter(|guest| guest.room == room);
                Reply::In(here.map(|guest| guest.name.clone()).collect())
            }
        }
    }

    /// However a member ended (left, stopped, crashed too often), its room hears it.
    fn down(&mut self, who: ActorRef, _: ExitReason, ctx: &mut Context<Self>) {
        let Some(place) = self.present.iter().position(|guest| guest.who == who) else {
            return;
        };
        let guest = self.present.remove(place);
        ctx.publish(&group(&guest.room), &ToMember::News(News::Left(guest.name)));
    }
}

impl Lobby {
    fn came(&mut self, who: ActorRef, name: String, room: String, ctx: &Context<Self>) {
        ctx.watch(who);
        // A member that was restarted comes again.
        if self.present.iter().any(|guest| guest.who == who) {
            return;
        }
        let news = ToMember::News(News::Came(name.clone()));
        self.present.push(Guest { who, name, room });
        if let Some(guest) = self.present.last() {
            ctx.publish(&group(&guest.room), &news);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actorhost_sdk::testing::TestActor;

    const ANN: ActorRef = ActorRef::from_raw(2);

    fn came() -> ToLobby {
        ToLobby::Came {
            name: "ann".into(),
            room: "tea".into(),
        }
    }

    #[test]
    fn a_member_is_watched_and_its_end_is_news() {
        let mut lobby = TestActor::<Lobby>::start(&()).unwrap();
        lobby.tell_from(ANN, &came()).unwrap();
        assert_eq!(lobby.node().watches(), [ANN]);
        let room = || ToLobby::Who { room: "tea".into() };
        assert_eq!(lobby.ask(&room()), Ok(Reply::In(vec!["ann".into()])));
        lobby.down(ANN, ExitReason::Killed).unwrap();
        assert_eq!(lobby.ask(&room()), Ok(Reply::In(vec![])));
        let news: Vec<(String, ToMember)> = lobby.node().publications();
        let said = |news| ("room:tea".to_owned(), ToMember::News(news));
        assert_eq!(
            news,
            [
                said(News::Came("ann".into())),
                said(News::Left("ann".into()))
            ]
        );
    }

    #[test]
    fn a_member_that_comes_again_is_one_member() {
        let mut lobby = TestActor::<Lobby>::start(&()).unwrap();
        lobby.tell_from(ANN, &came()).unwrap();
        lobby.tell_from(ANN, &came()).unwrap();
        let room = ToLobby::Who { room: "tea".into() };
        assert_eq!(lobby.ask(&room), Ok(Reply::In(vec!["ann".into()])));
    }
}
