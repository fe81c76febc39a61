//! The flights and their answer file.

use anyhow::{Context as _, bail};
use serde::Deserialize;
use std::{
    collections::{BTreeMap, HashSet},
    fs::File,
    path::{Path, PathBuf},
};

/// What the demo knows of the file before it feeds it.
pub struct Flights {
    pub path: PathBuf,
    pub rows: u64,
    /// Aircraft in the order of their first flight, with its row.
    pub first_flights: Vec<(u64, String)>,
}

impl Flights {
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let reading = || format!("reading {}", path.display());
        let mut csv = csv::Reader::from_path(path).with_context(reading)?;
        let header = csv.headers().with_context(reading)?;
        let Some(column) = header.iter().position(|name| name == "tailnum") else {
            bail!("{} has no column `tailnum`", path.display());
        };
        let mut rows = 0;
        let mut seen = HashSet::new();
        let mut first_flights = Vec::new();
        for record in csv.records() {
            let record = record.with_context(reading)?;
            rows += 1;
            let tail = &record[column];
            if !matches!(tail, "" | "NA") && seen.insert(tail.to_owned()) {
                first_flights.push((rows, tail.to_owned()));
            }
        }
        Ok(Self {
            path: path.into(),
            rows,
            first_flights,
        })
    }

    /// The file, from its start.
    pub fn open(&self) -> anyhow::Result<File> {
        File::open(&self.path).with_context(|| format!("opening {}", self.path.display()))
    }

    /// Aircraft that have flown by row `row`.
    pub fn flown_by(&self, row: u64) -> &[(u64, String)] {
        let count = self
            .first_flights
            .partition_point(|(first, _)| *first <= row);
        &self.first_flights[..count]
    }
}

/// One aircraft's figures.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Figures {
    pub flights: u64,
    pub cancelled: u64,
    pub arrived: u64,
    pub delay_sum: i64,
    pub worst: Option<i64>,
    pub alerts: u64,
    /// The second version's own figure.
    #[serde(default)]
    pub longest_late_streak: Option<u64>,
}

impl Figures {
    /// Whether all that the answer file speaks of is the same.
    pub fn agrees(&self, expected: &Self) -> bool {
        let without = |figures: &Self| Self {
            longest_late_streak: None,
            ..figures.clone()
        };
        without(self) == without(expected)
    }
}

#[derive(Deserialize)]
struct AnswerFile {
    planes: BTreeMap<String, Figures>,
}

/// The right answer for every aircraft.
pub fn expected(path: &Path) -> anyhow::Result<BTreeMap<String, Figures>> {
    let reading = || format!("reading {}", path.display());
    let file = File::open(path).with_context(reading)?;
    let answers: AnswerFile = serde_json::from_reader(file).with_context(reading)?;
    Ok(answers.planes)
}
