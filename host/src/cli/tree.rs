//! `tree`: draws the supervision tree.

use super::{CliError, Exit, Output, Place, examples, output::count};
use actorhost_wire::api::TreeNode;

/// Show the supervision tree
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("actorhost tree", "actorhost tree --limit 3"))]
pub struct Args {
    /// How many children of each pool or supervisor are drawn; --json has all
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    #[command(flatten)]
    place: Place,
}

pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let tree = args.place.client()?.tree().await?;
    output.result(&tree, |tree| {
        let mut text = line(tree);
        draw(tree, "", args.limit, &mut text);
        text
    })?;
    Ok(Exit::Done)
}

fn line(node: &TreeNode) -> String {
    let mut line = format!("{}  {}", node.path, node.kind);
    if !node.detail.is_empty() {
        line += &format!(" ({})", node.detail);
    }
    if node.kind == "pool" {
        line += &format!(", {} living", count(node.children_total));
    }
    line + "\n"
}

fn draw(node: &TreeNode, before: &str, limit: usize, text: &mut String) {
    let shown = node.children.len().min(limit);
    let hidden = node.children_total.saturating_sub(shown as u64);
    for (at, child) in node.children.iter().take(shown).enumerate() {
        let last = at + 1 == shown && hidden == 0;
        let (branch, below) = if last {
            ("└─ ", "   ")
        } else {
            ("├─ ", "│  ")
        };
        *text += &format!("{before}{branch}{}", line(child));
        draw(child, &format!("{before}{below}"), limit, text);
    }
    if hidden > 0 {
        *text += &format!("{before}└─ … {} more\n", count(hidden));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(path: &str, kind: &str, children: Vec<TreeNode>, children_total: u64) -> TreeNode {
        TreeNode {
            path: path.into(),
            kind: kind.into(),
            detail: String::new(),
            children,
            children_total,
        }
    }

    #[test]
    fn children_hang_on_their_supervisors() {
        let actor = |path| node(path, "actor", vec![], 0);
        let bank = node(
            "/bank",
            "supervisor",
            vec![actor("/bank/a"), actor("/bank/b")],
            2,
        );
        let fleet = node("/fleet", "pool", vec![actor("/fleet/N1")], 3_000);
        let root = node("/", "supervisor", vec![bank, fleet], 2);
        let mut text = line(&root);
        draw(&root, "", 1, &mut text);
        assert_eq!(
            text,
            "/  supervisor\n├─ /bank  supervisor\n│  ├─ /bank/a  actor\n│  └─ … 1 more\n└─ … 1 more\n"
        );
        let mut text = String::new();
        draw(&root, "", 9, &mut text);
        assert!(
            text.ends_with(
                "└─ /fleet  pool, 3,000 living\n   ├─ /fleet/N1  actor\n   └─ … 2,999 more\n"
            ),
            "{text}"
        );
    }
}
