//! A behaviour for tests that can't be saved: it echoes and counts.

use actorhost_sdk::prelude::*;

/// What it is told.
#[derive(Serialize, Deserialize, Schema)]
pub enum Message {
    /// Comes back with the count.
    Echo {
        /// Any text.
        text: String,
    },
    /// Ends this life.
    Panic,
}

/// What it answers.
#[derive(Debug, PartialEq, Serialize, Deserialize, Schema)]
pub struct Reply {
    /// The text it was told.
    pub text: String,
    /// How many texts there were in this life.
    pub count: u64,
}

/// Counts what it echoes.
#[derive(Default)]
pub struct Stateless {
    count: u64,
}

#[actor(name = "stateless", no_save)]
impl Actor for Stateless {
    type Args = ();
    type Message = Message;
    type Reply = Reply;

    fn handle(&mut self, message: Message, _ctx: &mut Context<Self>) -> Reply {
        match message {
            Message::Echo { text } => {
                self.count += 1;
                Reply {
                    text,
                    count: self.count,
                }
            }
            Message::Panic => panic!("asked to panic"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actorhost_sdk::{Description, testing};

    #[test]
    fn it_says_that_it_cannot_be_saved() {
        let description = Description::of::<Stateless>();
        assert!(!description.can_save);
        assert_eq!(description.state_schema, None);
        assert!(testing::save(&Stateless::default()).is_err());
    }
}
