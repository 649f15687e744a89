import { leftOut } from '../model/output-hash.js';
import type { ReadableRun } from '../model/readable-run.js';
import type { CountedAttempt, Result, ResultEntry } from '../model/result.js';
import type { Score } from '../model/scores/score.js';

/** What of results an export can leave out. `notes`: those of scores, and annotations. */
export const redactable = ['input', 'output', 'reference', 'metadata', 'notes', 'error'] as const;
export type Redacted = (typeof redactable)[number];

/**
 * The run without values that its results have. Calls, trace data and values as they were hold parts of inputs and outputs, so
 * that they are left out with any of them.
 */
export function redact(run: ReadableRun, names: Iterable<Redacted>): ReadableRun {
  const hidden = new Set(names);
  const clusters = new Map<string, string>();
  return {
    head: run.head,
    scoreChips: run.scoreChips,
    rows: run.rows,
    // Labels have notes, rubrics have none.
    review:
      hidden.has('notes') && run.review !== undefined
        ? { ...run.review, samples: [], labels: [] }
        : run.review,
    corrected: run.corrected,
    trace: () => ({ calls: [] }),
    entries: async function* (indices) {
      for await (const { index, entry } of run.entries(indices)) {
        yield { index, entry: redactEntry(entry, hidden, clusters) };
      }
    },
  };
}

function redactEntry(
  entry: ResultEntry,
  hidden: ReadonlySet<Redacted>,
  clusters: Map<string, string>,
): ResultEntry {
  const { kept: _, regradable: __, counted, result, cluster, ...rest } = entry;
  const isHidden = hidden.has('metadata') || hidden.has('input');
  return {
    ...rest,
    ...(cluster !== undefined && { cluster: isHidden ? numbered(clusters, cluster) : cluster }),
    result: redactResult(result, hidden),
    ...(counted && { counted: redactCounted(counted, hidden) }),
  };
}

/** `unit 3` for the third cluster: which cases are one unit stays known, and not by what. */
function numbered(clusters: Map<string, string>, cluster: string): string {
  const known = clusters.get(cluster) ?? `unit ${clusters.size + 1}`;
  clusters.set(cluster, known);
  return known;
}

function redactResult(result: Result, hidden: ReadonlySet<Redacted>): Result {
  const { calls: _, spans: __, authored_metadata, ...rest } = result;
  const without = (name: 'input' | 'output' | 'reference') =>
    hidden.has(name) && result[name] !== null ? { [name]: leftOut } : {};
  return {
    ...rest,
    ...without('input'),
    ...without('output'),
    ...without('reference'),
    ...(hidden.has('metadata')
      ? { metadata: {} }
      : authored_metadata !== undefined && { authored_metadata }),
    ...(hidden.has('error') && result.error !== null && { error: leftOut }),
    ...(hidden.has('notes') && {
      annotation: '',
      scores: result.scores.map(withoutNotes),
      correction_history: [],
    }),
    trace_data: {},
  };
}

function redactCounted(attempt: CountedAttempt, hidden: ReadonlySet<Redacted>): CountedAttempt {
  const { kept: _, regradable: __, correction_history, ...rest } = attempt;
  return {
    ...rest,
    ...(hidden.has('output') && attempt.output !== null && { output: leftOut }),
    ...(hidden.has('error') && attempt.error !== null && { error: leftOut }),
    ...(hidden.has('notes')
      ? { scores: attempt.scores.map(withoutNotes) }
      : correction_history && { correction_history }),
  };
}

function withoutNotes({ notes: _, ...score }: Score): Score {
  return score;
}
