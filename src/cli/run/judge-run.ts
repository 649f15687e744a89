import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import { judgeGate } from '../../model/gates/judge-gate.js';
import { otherCodeText } from '../../model/summary/repeats.js';
import type { StoredRun } from '../../store/stored-run.js';
import { countOf, renderCount } from '../../text/count-text.js';
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
  if (all.length === 0) return [];
  const text = otherCodeText(run.summary(), run.header.run_id);
  const otherCode: GateVerdict[] = text === undefined ? [] : [{ verdict: 'cannot-tell', text }];
  return [...all, ...otherCode, ...formerGradesVerdict(run), ...unfinishedVerdict(run)];
}

/** Grades that a regrade could not renew are not those of its graders. */
function formerGradesVerdict({ rows, header }: StoredRun): GateVerdict[] {
  const all = rows.filter(({ pruned }) => pruned !== true);
  const former = all.filter(({ hasFormerGrade }) => hasFormerGrade === true).length;
  if (former === 0) return [];
  const keep = former === 1 ? 'keeps its former grade' : 'keep their former grades';
  const text = `${renderCount(former)} of ${countOf(all.length, 'result')} ${keep}, which could not be renewed: run again, or assay run --regrade ${header.run_id} --regrade-inexact`;
  return [{ verdict: 'cannot-tell', text }];
}

/** A run that has not ended is not judged by what it has. */
export function unfinishedVerdict(run: StoredRun): GateVerdict[] {
  const { unfinished, totals } = run.summary();
  if (unfinished === 0) return [];
  const have = unfinished === 1 ? 'has' : 'have';
  const all = totals.total_evaluations - (totals.total_pruned ?? 0);
  const text = `${renderCount(unfinished)} of ${countOf(all, 'result')} ${have} not finished`;
  return [{ verdict: 'cannot-tell', text }];
}
