//! A bank account: what is wrong with a request is an answer, what is wrong with the
//! code is a crash.

use actorhost_sdk::prelude::*;

/// Fees by month, in cents.
const FEES: [u64; 12] = [0, 0, 150, 0, 0, 150, 0, 0, 150, 0, 0, 150];

/// What an account is told or asked.
#[derive(Debug, PartialEq, Serialize, Deserialize, Schema)]
pub enum Message {
    /// Puts money in.
    Deposit {
        /// How much.
        cents: u64,
    },
    /// Takes money out, if there is enough.
    Withdraw {
        /// How much.
        cents: u64,
    },
    /// Asks what there is.
    Balance,
    /// Moves money to another account, in one turn: debit here, credit there.
    Transfer {
        /// The account that gets it.
        to: ActorRef,
        /// How much.
        cents: u64,
        /// Panics between the debit and the credit.
        crash_before_credit: bool,
    },
    /// Money from another account.
    Credit {
        /// How much.
        cents: u64,
    },
    /// Runs into a bug.
    Bug,
}

/// What it answers.
#[derive(Debug, PartialEq, Serialize, Deserialize, Schema)]
pub enum Reply {
    /// What there is now.
    Balance {
        /// In cents.
        cents: u64,
    },
    /// There is not enough; nothing changed.
    InsufficientFunds {
        /// How many cents more it takes.
        missing: u64,
    },
    /// The other account takes nothing now, or this one has no room for more;
    /// nothing changed.
    Refused {
        /// Why, in words.
        cause: String,
    },
}

/// One account.
#[derive(Default, Serialize, Deserialize, Schema)]
pub struct Account {
    cents: u64,
}

#[actor(name = "account")]
impl Actor for Account {
    type Args = ();
    type Message = Message;
    type Reply = Reply;

    fn handle(&mut self, message: Message, ctx: &mut Context<Self>) -> Reply {
        match message {
            Message::Deposit { cents } | Message::Credit { cents } => self.put_in(cents),
            Message::Withdraw { cents } => self.take_out(cents),
            Message::Balance => self.balance(),
            Message::Transfer {
                to,
                cents,
                crash_before_credit,
            } => self.transfer(to, cents, crash_before_credit, ctx),
            Message::Bug => {
                // December is 12, and the table begins at 0.
                self.cents -= fee(12);
                self.balance()
            }
        }
    }
}

impl Account {
    fn balance(&self) -> Reply {
        Reply::Balance { cents: self.cents }
    }

    fn put_in(&mut self, cents: u64) -> Reply {
        match self.cents.checked_add(cents) {
            Some(sum) => {
                self.cents = sum;
                self.balance()
            }
            None => Reply::Refused {
                cause: "the account can't hold that much".into(),
            },
        }
    }

    fn take_out(&mut self, cents: u64) -> Reply {
        match self.cents.checked_sub(cents) {
            Some(rest) => {
                self.cents = rest;
                self.balance()
            }
            None => Reply::InsufficientFunds {
                missing: cents - self.cents,
            },
        }
    }

    fn transfer(
        &mut self,
        to: ActorRef,
        cents: u64,
        crash_before_credit: bool,
        ctx: &Context<Self>,
    ) -> Reply {
        let debit = self.take_out(cents);
        if !matches!(debit, Reply::Balance { .. }) {
            return debit;
        }
        if crash_before_credit {
            panic!("crashed with {cents} cents debited and not yet credited");
        }
        match ctx.tell(to, &Message::Credit { cents }) {
            Ok(()) => debit,
            Err(error) => {
                self.cents += cents;
                Reply::Refused {
                    cause: error.to_string(),
                }
            }
        }
    }
}

fn fee(month: usize) -> u64 {
    FEES[month]
}

#[cfg(test)]
mod tests {
    use super::*;
    use actorhost_sdk::testing::TestActor;

    const OTHER: ActorRef = ActorRef::from_raw(2);

    fn account(cents: u64) -> TestActor<Account> {
        let mut account = TestActor::<Account>::start(&()).unwrap();
        account.tell(&Message::Deposit { cents }).unwrap();
        account
    }

    fn transfer(cents: u64, crash_before_credit: bool) -> Message {
        Message::Transfer {
            to: OTHER,
            cents,
            crash_before_credit,
        }
    }

    #[test]
    fn insufficient_funds_is_an_answer_and_the_balance_survives() {
        let mut account = account(70);
        assert_eq!(
            account.ask(&Message::Withdraw { cents: 100 }),
            Ok(Reply::InsufficientFunds { missing: 30 })
        );
        assert_eq!(
            account.ask(&Message::Balance),
            Ok(Reply::Balance { cents: 70 })
        );
    }

    #[test]
    fn a_deposit_that_does_not_fit_is_an_answer() {
        let mut account = account(u64::MAX);
        let reply = account.ask(&Message::Deposit { cents: 1 }).unwrap();
        assert!(matches!(reply, Reply::Refused { .. }));
    }

    #[test]
    fn a_bug_crashes_and_a_restart_begins_with_nothing() {
        let mut account = account(70);
        let crash = account.ask(&Message::Bug).unwrap_err();
        assert!(crash.message.contains("out of bounds"), "{crash}");
        account.restart();
        assert_eq!(
            account.ask(&Message::Balance),
            Ok(Reply::Balance { cents: 0 })
        );
    }

    #[test]
    fn a_transfer_debits_here_and_credits_there() {
        let mut account = account(70);
        assert_eq!(
            account.ask(&transfer(30, false)),
            Ok(Reply::Balance { cents: 40 })
        );
        assert_eq!(
            account.node().tells(),
            [(OTHER, Message::Credit { cents: 30 })]
        );
    }

    #[test]
    fn a_crash_between_debit_and_credit_leaves_both_untouched() {
        let mut account = account(70);
        account.ask(&transfer(30, true)).unwrap_err();
        assert!(account.node().tells::<Message>().is_empty());
        account.resume();
        assert_eq!(
            account.ask(&Message::Balance),
            Ok(Reply::Balance { cents: 70 })
        );
    }

    #[test]
    fn a_transfer_to_a_full_account_changes_nothing() {
        let mut account = account(70);
        account.node().refuse(OTHER, SendError::Full);
        let reply = account.ask(&transfer(30, false)).unwrap();
        assert!(matches!(reply, Reply::Refused { .. }));
        assert_eq!(
            account.ask(&Message::Balance),
            Ok(Reply::Balance { cents: 70 })
        );
    }
}
