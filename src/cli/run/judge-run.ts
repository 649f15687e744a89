import type { LostSummary } from '../../compare/cases/lost-scores.js';
import { lostTexts } from '../../compare/cases/lost-text.js';
import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import { type Gate, judgeGate } from '../../model/gates/judge-gate.js';
import { lostScoresOf, lostScoresText } from '../../model/summary/lost-scores.js';
import type { StoredRun } from '../../store/stored-run.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { mixedTexts } from '../../text/mixed-text.js';
import { scoreName } from '../../text/score-name.js';
import type { ParsedGates } from './parse-gates.js';
import type { BaselineComparison } from './run-baseline.js';

/** Judges a run by all gates. */
export function judgeRun(
  { own, baseline }: ParsedGates,
  run: StoredRun,
  comparison: BaselineComparison | undefined,
): GateVerdict[] {
  const verdicts = own.map((gate) =>
    unlessLost(gate, judgeGate(gate, run, comparison?.base), comparison),
  );
  const all = [...verdicts, ...(comparison?.judge(baseline) ?? [])];
  if (all.length === 0) return [];
  const mixed = mixedTexts(run.summary(), run.header.run_id).map(
    ({ text, mend }): GateVerdict => ({ verdict: 'cannot-tell', text: `${text}: ${mend}` }),
  );
  return [...all, ...mixed, ...lostVerdict(run), ...unfinishedVerdict(run)];
}

/** What the stored form does not show, graders cannot judge. */
function lostVerdict({ rows }: StoredRun): GateVerdict[] {
  const lost = lostScoresOf(rows);
  if (lost === undefined) return [];
  return [{ verdict: 'cannot-tell', text: `${lostScoresText(lost)}: run again` }];
}

/** A rate or score that is high enough tells nothing where what lowered it is lost. */
function unlessLost(
  gate: Gate,
  verdict: GateVerdict,
  comparison: BaselineComparison | undefined,
): GateVerdict {
  if (comparison === undefined || verdict.verdict !== 'yes') return verdict;
  const { lost } = comparison;
  const texts = lostTexts({ ...lost, ...lostFor(gate, lost) });
  if (texts.length === 0) return verdict;
  const what = gate.kind === 'score' ? scoreName(gate.key) : 'pass rate';
  const text = `${what} cannot be judged: ${texts.join(', ')} (${verdict.text})`;
  return { verdict: 'cannot-tell', text };
}

/** The part of what is lost that a gate is about. */
function lostFor(gate: Gate, { verdicts, scores }: LostSummary) {
  if (gate.kind === 'pass-rate') return { verdicts, scores: scores.filter((one) => one.verdicts) };
  if (gate.kind !== 'score') return { verdicts: 0, scores: [] };
  const names = [gate.key, gate.key.replace(/\.(passed|value)$/, '')];
  return { verdicts: 0, scores: scores.filter(({ key }) => names.includes(key)) };
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
