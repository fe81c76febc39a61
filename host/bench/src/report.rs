//! Medians and spread, as a table and as JSON.

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use std::fmt;

/// One measured figure of one run.
pub struct Figure {
    pub metric: &'static str,
    pub unit: &'static str,
    pub value: f64,
}

#[derive(Serialize)]
struct Row {
    workload: &'static str,
    metric: &'static str,
    unit: &'static str,
    #[serde(skip)]
    values: Vec<f64>,
    median: f64,
    min: f64,
    max: f64,
}

/// All figures of all runs.
#[derive(Serialize)]
pub struct Report {
    machine: String,
    version: &'static str,
    runs: usize,
    rows: Vec<Row>,
}

impl Report {
    pub fn new(runs: usize) -> Self {
        let version = env!("CARGO_PKG_VERSION");
        Self {
            machine: crate::machine::describe(),
            version,
            runs,
            rows: Vec::new(),
        }
    }

    pub fn add(&mut self, workload: &'static str, figures: &[Figure]) {
        for &Figure {
            metric,
            unit,
            value,
        } in figures
        {
            let known = self
                .rows
                .iter_mut()
                .find(|row| row.workload == workload && row.metric == metric);
            let row = match known {
                Some(row) => row,
                None => {
                    let (median, min, max) = (0.0, 0.0, 0.0);
                    self.rows.push(Row {
                        workload,
                        metric,
                        unit,
                        values: Vec::new(),
                        median,
                        min,
                        max,
                    });
                    self.rows.last_mut().expect("pushed just now")
                }
            };
            row.values.push(value);
            row.values.sort_by(f64::total_cmp);
            row.median = row.values[row.values.len() / 2];
            row.min = row.values[0];
            row.max = row.values[row.values.len() - 1];
        }
    }

    /// A line on standard error for each figure of the last workload.
    pub fn print_last(&self) {
        let Some(last) = self.rows.last() else { return };
        for row in self.rows.iter().filter(|row| row.workload == last.workload) {
            eprintln!(
                "{} {}: {} {}",
                row.workload,
                row.metric,
                text(row.median),
                row.unit
            );
        }
    }

    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }
}

fn text(value: f64) -> String {
    if value >= 1000.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}")
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new();
        table.load_preset(presets::ASCII_MARKDOWN);
        table.set_header(["workload", "metric", "median", "min", "max", "unit"]);
        for row in &self.rows {
            let values = [row.median, row.min, row.max].map(text);
            let [median, min, max] = values;
            table.add_row([row.workload, row.metric, &median, &min, &max, row.unit]);
        }
        for column in 2..5 {
            if let Some(column) = table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        writeln!(
            f,
            "{}, {} runs, actorhost {}\n",
            self.machine, self.runs, self.version
        )?;
        write!(f, "{table}")
    }
}
