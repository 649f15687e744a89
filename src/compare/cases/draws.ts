import { hash } from 'node:crypto';
import type { RowFacts } from '../../model/result.js';
import type { EvalCase } from './eval-case.js';

/** Identifies the attempts of finished trials. */
export type Draw = Pick<EvalCase, 'draw' | 'graded'>;

/** The attempt of a row of a run; empty if unknown. A row that was carried over has that of the run that ran it. */
export function drawOf(row: RowFacts, runId: string): Draw {
  const { id, origin, startedAt, code = '', scores } = row;
  if (startedAt === undefined) return {};
  const attempt = JSON.stringify([id, origin?.run_id ?? runId, startedAt]);
  const marks = scores.map(({ key, passed, value, threshold }) => [key, passed, value, threshold]);
  return { draw: digest(attempt), graded: digest(JSON.stringify([attempt, code, marks])) };
}

/** The attempts of several trials, in any order; empty if one of them is unknown. */
export function drawOfAll(draws: readonly Draw[]): Draw {
  const joined = (texts: readonly (string | undefined)[]) =>
    texts.includes(undefined) ? undefined : digest([...texts].sort().join());
  return {
    draw: joined(draws.map(({ draw }) => draw)),
    graded: joined(draws.map(({ graded }) => graded)),
  };
}

/**
 * What a case has in common in two runs, if none of its trials is new: the whole `result`, or only the `output`, which
 * was graded again or corrected in between.
 */
export function sharedOf(base: EvalCase, other: EvalCase): 'result' | 'output' | undefined {
  if (base.graded !== undefined && base.graded === other.graded) return 'result';
  return base.draw !== undefined && base.draw === other.draw ? 'output' : undefined;
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 12);
}
