import type { ReviewLabel, ReviewSample } from '../model/labels.js';
import { csvText, toCsv } from './csv.js';

export const labelFormats = ['json', 'csv', 'jsonl'] as const;
export type LabelFormat = (typeof labelFormats)[number];

/** A run with what reviewers say of its results. */
interface LabelledRun {
  readonly runId: string;
  readonly rows: readonly { readonly id: string }[];
  labels(): readonly ReviewLabel[];
  samples(): readonly ReviewSample[];
}

/** Fields of a label in a file, in order; `id` is that of its result. */
export const labelColumns = [
  'index',
  'id',
  'key',
  'verdict',
  'note',
  'reviewer',
  'rubric_version',
  'sample',
  'at',
  'output_hash',
] as const;

const contentTypes = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
} as const satisfies Record<LabelFormat, string>;

/** The labels of the outputs that count now: as JSON with the samples, a table, or a line for each. */
export function renderLabels(
  run: LabelledRun,
  format: LabelFormat,
): { readonly text: string; readonly contentType: string } {
  const labels = run.labels().map(({ index, ...label }) => {
    return { index, id: run.rows[index]?.id ?? '', ...label };
  });
  const contentType = contentTypes[format];
  switch (format) {
    case 'json': {
      const document = { run_id: run.runId, samples: run.samples(), labels };
      return { text: `${JSON.stringify(document, null, 2)}\n`, contentType };
    }
    case 'jsonl':
      return { text: labels.map((label) => `${JSON.stringify(label)}\n`).join(''), contentType };
    case 'csv': {
      const rows = labels.map((label) =>
        labelColumns.map((column) => csvText(label[column] ?? null, false)),
      );
      return { text: toCsv([[...labelColumns], ...rows]), contentType };
    }
  }
}
