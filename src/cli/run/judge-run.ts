import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import { judgeGate } from '../../model/gates/judge-gate.js';
import { otherCodeText } from '../../model/summary/repeats.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { Gates } from './parse-gates.js';
import type { RunComparison } from './run-baseline.js';

/** True for a part of a run without cases, which nothing judges. */
export function isEmptyPart({ header, rows }: StoredRun): boolean {
  return header.shard !== undefined && rows.length === 0;
}

/** Judges a run by all gates. */
export function judgeRun(
  { own, baseline }: Gates,
  run: StoredRun,
  comparison: RunComparison | undefined,
): GateVerdict[] {
  const verdicts = own.map((gate) => judgeGate(gate, run));
  const all = [...verdicts, ...(comparison?.judge(baseline) ?? [])];
  const text = otherCodeText(run.summary(), run.header.run_id);
  return all.length === 0 || text === undefined ? all : [...all, { verdict: 'cannot-tell', text }];
}
