//! Supervisors within supervisors.

use super::*;

/// A `[[supervisor]]` of this name with `lines`, and children that are supervisors.
fn table(name: &str, lines: &str, children: &[&str]) -> String {
    let mut text = format!("[[supervisor]]\nname = \"{name}\"\n{lines}");
    for child in children {
        text += &format!("[[supervisor.child]]\nname = \"{child}\"\nsupervisor = \"{child}\"\n");
    }
    text
}

/// A supervisor with `lines` and one child, an actor, with `child_lines`.
fn with_actor(lines: &str, child_lines: &str) -> String {
    format!(
        "behaviour.b.module = \"b\"\n[[supervisor]]\nname = \"s\"\n{lines}\
         [[supervisor.child]]\nname = \"c\"\nbehaviour = \"b\"\n{child_lines}"
    )
}

#[test]
fn a_supervisor_is_where_its_parent_says_wherever_it_stands() {
    for tables in [["a", "b", "c"], ["c", "b", "a"], ["b", "c", "a"]] {
        let text = tables.map(|name| match name {
            "a" => table("a", "strategy = \"one-for-all\"\n", &["b"]),
            "b" => table(
                "b",
                "strategy = \"rest-for-one\"\nrestart = \"temporary\"\n",
                &["c"],
            ),
            _ => table("c", "", &[]),
        });
        let manifest = parse(&text.concat());
        let [a] = manifest.supervisors.as_slice() else {
            panic!("{manifest:?}")
        };
        let below = |supervisor: &Supervisor| match &supervisor.children[0].kind {
            ChildKind::Supervisor(below) => below.clone(),
            ChildKind::Actor(actor) => panic!("{actor:?}"),
        };
        assert_eq!((a.name.as_str(), a.strategy), ("a", Strategy::OneForAll));
        let b = below(a);
        assert_eq!((b.name.as_str(), b.strategy), ("b", Strategy::RestForOne));
        assert_eq!(b.restart, Restart::Temporary);
        assert_eq!(below(&b).name, "c");
    }
}

#[test]
fn a_child_may_have_another_name_than_the_supervisor_in_its_place() {
    let manifest = parse(
        "behaviour.b = { module = \"b\", capabilities.supervise = [\"/a/first\", \"/a/*\"] }\n\
         [[supervisor]]\nname = \"a\"\n[[supervisor.child]]\nname = \"first\"\n\
         supervisor = \"b\"\n[[supervisor]]\nname = \"b\"\n",
    );
    assert_eq!(manifest.supervisors[0].children[0].name, "first");
}

#[test]
fn strategies_and_shutdowns_are_words() {
    let fault = |lines: &str| faults(&table("s", lines, &[])).join("");
    assert_eq!(
        fault("strategy = \"one-for-on\""),
        "3:12: supervisor[0].strategy: unknown word \"one-for-on\"; did you mean \"one-for-one\"?"
    );
    assert_eq!(
        fault("strategy = \"simple\""),
        "3:12: supervisor[0].strategy: unknown word \"simple\"; it is one of \"one-for-one\", \
         \"one-for-all\", \"rest-for-one\""
    );
    assert_eq!(
        fault("auto-shutdown = \"any\""),
        "3:17: supervisor[0].auto-shutdown: unknown word \"any\"; it is one of \"never\", \
         \"any-significant\", \"all-significant\""
    );
    assert_eq!(
        fault("intensity = 3"),
        "3:13: supervisor[0].intensity: an intensity without a period; give both, such as \
         `intensity = 3` and `period = \"5s\"`"
    );
    assert_eq!(
        fault("period = \"3s\""),
        "3:10: supervisor[0].period: a period without an intensity; give both, such as \
         `intensity = 3` and `period = \"5s\"`"
    );
    assert_eq!(
        fault("restart = \"transient\""),
        "3:11: supervisor[0].restart: a supervisor that is no child is always permanent; \
         make it the child of another supervisor, or take it out"
    );
    // Nothing is significant, so it never does; that harms nobody.
    parse(&with_actor("auto-shutdown = \"any-significant\"\n", ""));
}

#[test]
fn a_child_is_an_actor_or_a_supervisor_that_is_there() {
    let child = |lines: &str| {
        faults(&format!(
            "behaviour.b.module = \"b\"\n[[supervisor]]\nname = \"tellers\"\n\
             [[supervisor]]\nname = \"s\"\n[[supervisor.child]]\nname = \"c\"\n{lines}"
        ))
        .join("\n")
    };
    assert_eq!(
        child(""),
        "6:1: supervisor[1].child[0]: nothing says who takes this place; give `behaviour`, \
         what an actor runs, or `supervisor`, the name of another one of this file"
    );
    assert_eq!(
        child("supervisor = \"telers\""),
        "8:14: supervisor[1].child[0].supervisor: no supervisor of this name; did you mean \
         \"tellers\"?"
    );
    assert_eq!(
        child("supervisor = \"x\""),
        "8:14: supervisor[1].child[0].supervisor: no supervisor of this name; give it a \
         table `[[supervisor]]`"
    );
    let only = "only an actor has this, and this child is a supervisor";
    assert_eq!(
        child(
            "supervisor = \"tellers\"\nbehaviour = \"b\"\nrestart = \"transient\"\nshutdown = \"5s\""
        ),
        format!(
            "9:13: supervisor[1].child[0].behaviour: {only}; take it out, or `supervisor`\n\
             10:11: supervisor[1].child[0].restart: {only}; give it in that supervisor's own \
             table\n\
             11:12: supervisor[1].child[0].shutdown: {only}; a supervisor waits for its \
             children as long as each of them may take"
        )
    );
}

#[test]
fn a_supervisor_has_one_parent() {
    let text = [
        table("a", "", &["c"]),
        table("b", "", &["c"]),
        table("c", "", &[]),
    ];
    assert_eq!(
        faults(&text.concat()),
        [
            "10:14: supervisor[1].child[0].supervisor: the supervisor `c` is a child already, \
             by `supervisor[0].child[0].supervisor` in line 5; it has one parent; take one of \
             the two out"
        ]
    );
}

#[test]
fn a_ring_of_supervisors_is_named_whole_and_once() {
    let ring = [
        table("d", "", &["a"]),
        table("a", "", &["b"]),
        table("b", "", &["c"]),
        table("c", "", &["a"]),
    ];
    // `d` has the first claim to `a`, so that there is no ring but a second parent.
    assert_eq!(faults(&ring.concat()).len(), 1);
    assert_eq!(
        faults(&ring[1..].concat()),
        [
            "15:14: supervisor[2].child[0].supervisor: supervisors cannot be below each other \
             in a ring: a → b → c → a; take out one of the children in lines 5, 10, 15"
        ]
    );
    let two = [
        table("x", "", &[]),
        table("a", "", &["b", "x"]),
        table("b", "", &["a"]),
    ];
    let found = faults(&two.concat());
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("in a ring: a → b → a; "), "{found:?}");
    assert_eq!(
        faults(&table("a", "", &["a"])),
        [
            "5:14: supervisor[0].child[0].supervisor: the supervisor `a` is a child of \
             itself; name another one"
        ]
    );
}

#[test]
fn supervisors_are_within_each_other_only_so_deep() {
    let chain = |length: usize| {
        let tables = (1..=length).map(|number| {
            let below = format!("s{}", number + 1);
            let children: &[&str] = if number == length { &[] } else { &[&below] };
            table(&format!("s{number}"), "", children)
        });
        tables.collect::<String>()
    };
    parse(&chain(limits::TREE_DEPTH_MAX));
    let found = faults(&chain(limits::TREE_DEPTH_MAX + 1));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].ends_with("more than 32 supervisors within each other"),
        "{found:?}"
    );
    // Neither a long chain nor a long ring uses up the stack.
    assert_eq!(faults(&chain(20_000)).len(), 1);
    let ring = chain(20_000) + "[[supervisor.child]]\nname = \"s1\"\nsupervisor = \"s1\"\n";
    assert_eq!(faults(&ring).len(), 1);
}

#[test]
fn significant_children_fit_their_supervisor() {
    let auto = "auto-shutdown = \"any-significant\"\n";
    let transient = "restart = \"transient\"\nsignificant = true";
    parse(&with_actor(auto, transient));
    assert_eq!(
        faults(&with_actor("", transient)),
        [
            "8:15: supervisor[0].child[0].significant: a significant child of a supervisor \
             that never shuts down by itself; give the supervisor `auto-shutdown = \
             \"any-significant\"` or \"all-significant\""
        ]
    );
    let permanent = "a significant child cannot be permanent: it would never end by itself; \
                     give `restart = \"transient\"` or \"temporary\"";
    assert_eq!(
        faults(&with_actor(auto, "significant = true")),
        [format!(
            "8:15: supervisor[0].child[0].significant: {permanent} with it"
        )]
    );
    let below = |restart: &str| {
        table("a", auto, &["b"]) + "significant = true\n" + &table("b", restart, &[])
    };
    parse(&below("restart = \"temporary\"\n"));
    assert_eq!(
        faults(&below("")),
        [format!(
            "7:15: supervisor[0].child[0].significant: {permanent} in the table of the \
             supervisor `b`"
        )]
    );
}

#[test]
fn managed_supervisors_are_there() {
    let text = "[behaviour.b]\nmodule = \"b\"\n\
                capabilities.supervise = [\"/bnak\", \"/bank/tellers/*\", \"bank\"]\n";
    let tree = table("bank", "", &["tellers"]) + &table("tellers", "", &[]);
    assert_eq!(
        faults(&format!("{text}{tree}")),
        [
            "3:27: behaviour.b.capabilities.supervise[0]: no supervisor of this path; did \
             you mean \"/bank\"?",
            "3:55: behaviour.b.capabilities.supervise[2]: no supervisor of this path; did \
             you mean \"/bank\"?",
        ]
    );
}
