import { AssayError } from '../errors.js';
import { allTokensOf, isUnused } from '../model/calls/known-usage.js';
import { type RunUsage, runUsageOf, usageWithTaken } from '../model/calls/run-usage.js';
import { noUsage, type Usage, type UsageTotals } from '../model/calls/usage.js';
import type { Correction, Json, ResultEntry } from '../model/result.js';
import { parseResultField, resultFieldForms, valueOfField } from '../model/result-field.js';
import type { Score, ScoreChip } from '../model/scores/score.js';
import { nameText } from '../text/name-text.js';
import { nearNames } from '../text/near-names.js';

/** The value of a cell before rendering; `undefined` and `null` are empty cells. */
export type CellValue = Json | readonly Score[] | readonly Correction[] | Usage | undefined;

/** One column of an exported table. */
export interface Column {
  readonly name: string;
  /** The score of a column `score:<key>`. */
  readonly scoreKey?: string;
  readonly read: (entry: ResultEntry) => CellValue;
}

const beforeScores: readonly Column[] = [
  { name: 'id', read: (entry) => entry.id },
  { name: 'function', read: (entry) => entry.function },
  { name: 'dataset', read: (entry) => entry.dataset },
  { name: 'labels', read: (entry) => entry.labels },
  { name: 'trial', read: (entry) => entry.trial },
  { name: 'status', read: (entry) => entry.result.status },
  { name: 'input', read: (entry) => entry.result.input },
  { name: 'output', read: (entry) => entry.result.output },
  { name: 'reference', read: (entry) => entry.result.reference },
];

const fromScores: readonly Column[] = [
  { name: 'scores', read: (entry) => entry.result.scores },
  { name: 'error', read: (entry) => entry.result.error },
  { name: 'latency', read: (entry) => entry.result.latency },
  { name: 'metadata', read: (entry) => entry.result.metadata },
  { name: 'trace_data', read: (entry) => entry.result.trace_data },
  { name: 'annotation', read: (entry) => entry.result.annotation },
  { name: 'correction_history', read: (entry) => entry.result.correction_history },
  { name: 'code', read: (entry) => entry.result.code },
  { name: 'pruned', read: (entry) => entry.pruned },
  { name: 'counted', read: ({ counted }) => counted && countedGrade(counted) },
  { name: 'calls', read: ({ result }) => runUsageOf(result)?.calls },
  { name: 'tokens', read: ({ result }) => knownTokens(runUsageOf(result)) },
  { name: 'cost', read: ({ result }) => knownCost(runUsageOf(result)) },
  { name: 'taken_cost', read: ({ result }) => takenCost(runUsageOf(result)) },
  { name: 'usage', read: (entry) => entry.result.usage },
];

/** The verdict of the attempt that counts, of a result that ran again. */
function countedGrade({ status, scores, error }: NonNullable<ResultEntry['counted']>): Json {
  // JSON, as they are stored.
  return { status, scores: scores as unknown as Json, error };
}

function knownTokens(usage: RunUsage | undefined): number | undefined {
  if (usage !== undefined && isUnused(usage)) return 0;
  return usage && allTokensOf(usage);
}

function knownCost(usage: UsageTotals | undefined): number | null | undefined {
  return usage?.unpriced ? null : usage?.cost;
}

/** US dollars that a carried, regraded or replayed result cost when it ran. */
function takenCost(usage: RunUsage | undefined): number | null | undefined {
  const { taken } = usage ?? {};
  return taken && knownCost(usageWithTaken({ ...noUsage, taken }));
}

const aliases: ReadonlyMap<string, string> = new Map([['eval', 'function']]);

/** Names of the columns that every run has, without scores. */
export const fixedColumnNames: readonly string[] = [...beforeScores, ...fromScores].map(
  (column) => column.name,
);

/** All columns of a run: the fixed ones, and `score:<key>` for each score key. */
export function allColumns(chips: readonly ScoreChip[]): Column[] {
  return [...beforeScores, ...chips.map((chip) => scoreColumn(chip.key)), ...fromScores];
}

/**
 * The named columns, each once: also a value in the results, such as `metadata.tier` or `output.items[0].id`. Error: `usage`
 * for an unknown name.
 */
export function resolveColumns(names: readonly string[], chips: readonly ScoreChip[]): Column[] {
  const known = new Map(allColumns(chips).map((column) => [column.name, column]));
  const chosen = new Map<string, Column>();
  for (const name of names) {
    const column = known.get(aliases.get(name) ?? name) ?? fieldColumn(name);
    if (column === undefined) throw unknownColumn(name, [...known.keys()]);
    chosen.set(column.name, column);
  }
  return [...chosen.values()];
}

/** Renders a cell as plain text: strings unchanged, structures as JSON, nothing for `null`. */
export function cellText(value: CellValue): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The first score of a key. */
export function findScore(entry: ResultEntry, key: string): Score | undefined {
  return entry.result.scores.find((score) => score.key === key);
}

function scoreColumn(key: string): Column {
  return {
    name: `score:${key}`,
    scoreKey: key,
    read: (entry) => {
      const score = findScore(entry, key);
      return score?.value ?? score?.passed;
    },
  };
}

function fieldColumn(name: string): Column | undefined {
  const field = parseResultField(name);
  return field && { name, read: ({ result }) => valueOfField(result, field) };
}

function unknownColumn(name: string, known: readonly string[]): AssayError {
  const near = nearNames(name, [...known, ...aliases.keys()]);
  return new AssayError('usage', `Unknown column: ${nameText(name)}.`, {
    hints: [
      ...(near.length > 0 ? [`Did you mean ${near.join(' or ')}?`] : []),
      `Columns: ${fixedColumnNames.join(', ')}, score:<key> for each score of the run, and values in the results: ${resultFieldForms}`,
    ],
  });
}
