import { setImmediate } from 'node:timers/promises';
import { readCalls } from '../../store/log/entry-reading.js';
import type { LogFile } from '../../store/log/log-file.js';
import type { Row } from '../../store/replay/run-index.js';
import {
  compareParts,
  countPartings,
  KeptParts,
  type Parting,
  type PartPair,
  type PromptPair,
  partingOf,
  type VaryingPart,
} from './compare-prompts.js';
import { type RequestFacts, requestFacts } from './request-facts.js';

/** Milliseconds of reading after which others have their turn. */
const turn = 20;

/** The requests of a run, by hashes. */
export interface RunRequests {
  /** By row; `undefined` for one whose calls have no messages. */
  readonly rows: readonly (RequestFacts | undefined)[];
  readonly texts: KeptParts;
}

/** Reads the requests of the rows of a run, one result at a time. */
export async function readRequests(file: LogFile, rows: readonly Row[]): Promise<RunRequests> {
  const texts = new KeptParts();
  const found: (RequestFacts | undefined)[] = [];
  file.retain();
  try {
    let began = performance.now();
    for (const [index, row] of rows.entries()) {
      const hasCalls = row.pruned !== true && file.events.callsOf(row.events).length > 0;
      const facts = hasCalls ? requestFacts(readCalls(file, { index, row }), texts) : undefined;
      found.push(facts && facts.roles.size > 0 ? facts : undefined);
      if (performance.now() - began < turn) continue;
      await setImmediate();
      began = performance.now();
    }
  } finally {
    file.release();
  }
  return { rows: found, texts };
}

/** A case whose requests are known in both runs, by the trials that part first. */
export interface PartedCase {
  /** As the caller numbers cases. */
  readonly pair: number;
  readonly parting: Parting;
  /** Indices of the rows. */
  readonly a: number;
  readonly b: number;
}

/** What of the requests of two runs differs. */
export interface PromptDiff {
  readonly parts: readonly PartPair[];
  readonly varying: readonly VaryingPart[];
  /** Cases whose traces are known in both runs. */
  readonly cases: readonly PartedCase[];
  readonly counts: ReturnType<typeof countPartings>;
  /** Cases of both runs of which one has no call with messages. */
  readonly without: number;
}

/** A case of both runs: its evaluation, and its rows in each, trials in order. */
export interface RowPair {
  readonly pair: number;
  readonly evaluation: string;
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** Compares the requests of two runs. Trials are compared one by one; the case parts where the first of them does. */
export function promptDiff(
  pairs: Iterable<RowPair>,
  runs: { readonly a: RunRequests; readonly b: RunRequests },
): PromptDiff {
  const known: PromptPair[] = [];
  const cases: PartedCase[] = [];
  let without = 0;
  for (const { pair, evaluation, a, b } of pairs) {
    let first: PartedCase | undefined;
    let hasParts = false;
    for (let trial = 0; trial < Math.min(a.length, b.length); trial += 1) {
      const [left, right] = [a[trial] ?? 0, b[trial] ?? 0];
      const [one, two] = [runs.a.rows[left], runs.b.rows[right]];
      if (one === undefined || two === undefined) continue;
      if (!hasParts) known.push({ evaluation, a: one, b: two });
      hasParts = true;
      if (one.trace.length === 0 || two.trace.length === 0) continue;
      const found = { pair, parting: partingOf(one.trace, two.trace), a: left, b: right };
      if (first === undefined || stepOf(found) < stepOf(first)) first = found;
    }
    if (first === undefined) without += 1;
    else cases.push(first);
  }
  const counts = countPartings(cases.map(({ parting }) => parting));
  const texts = { a: runs.a.texts, b: runs.b.texts };
  return { ...compareParts(known, texts), cases, counts, without };
}

/** Orders partings: those of earlier calls first, a request before its answer. */
export function stepOf({ parting }: PartedCase): number {
  const { call, message } = parting;
  if (call === 0) return Number.POSITIVE_INFINITY;
  return call + (message === undefined ? 0.5 : 0);
}
