import { labelVerdicts, type ReviewLabel } from '../../model/labels.js';
import { renderCount } from '../../text/count-text.js';
import { renderFittedColumns } from '../terminal/fitted-columns.js';
import { escapeTerminal } from '../terminal/terminal-text.js';

/** The labels of one reviewer for one score, by one version of its rubric. */
export interface LabelCounts {
  readonly key: string;
  readonly reviewer: string;
  /** Absent without a rubric. */
  readonly rubric_version?: string;
  readonly pass: number;
  readonly fail: number;
  readonly unsure: number;
  readonly skipped: number;
  /** Those of them that were drawn at random. */
  readonly sampled: number;
}

/** Counts labels, in the order of key, reviewer and version. */
export function countLabels(labels: readonly ReviewLabel[]): LabelCounts[] {
  const groups = new Map<string, ReviewLabel[]>();
  for (const label of labels) {
    const name = JSON.stringify([label.key, label.reviewer, label.rubric_version ?? '']);
    const group = groups.get(name) ?? [];
    group.push(label);
    groups.set(name, group);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) => {
      const [first] = group;
      if (first === undefined) return [];
      const { key, reviewer, rubric_version } = first;
      const of = (verdict: ReviewLabel['verdict']) =>
        group.filter((label) => label.verdict === verdict).length;
      const [pass, fail, unsure, skipped] = labelVerdicts.map(of) as [
        number,
        number,
        number,
        number,
      ];
      const sampled = group.filter(({ sample }) => sample !== undefined).length;
      const version = rubric_version === undefined ? {} : { rubric_version };
      return [{ key, reviewer, ...version, pass, fail, unsure, skipped, sampled }];
    });
}

/** A table of counts, at most `width` columns wide. */
export function renderLabelCounts(counts: readonly LabelCounts[], width?: number): string {
  const numbers = ['pass', 'fail', 'unsure', 'skipped', 'sampled'] as const;
  return renderFittedColumns(
    [
      { title: 'score', cells: counts.map(({ key }) => escapeTerminal(key)), shrinkTo: 12 },
      { title: 'reviewer', cells: counts.map((one) => escapeTerminal(one.reviewer)), shrinkTo: 8 },
      { title: 'rubric', cells: counts.map((one) => one.rubric_version ?? 'none'), rank: 1 },
      ...numbers.map((title) => ({
        title,
        cells: counts.map((one) => renderCount(one[title])),
        align: 'right' as const,
      })),
    ],
    width,
  );
}
