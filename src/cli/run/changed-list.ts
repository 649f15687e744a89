import { fileOf } from '../../model/result.js';
import type { Decision } from '../../runner/changes/decide-row.js';
import type { EvaluationList } from '../../runner/list-evaluations.js';
import { renderCount } from '../../text/count-text.js';
import { escapeTerminal } from '../terminal/terminal-text.js';

/** A decision in a sentence of few words: `run: prompts/refund.md`, `carried from tidy-maple`. */
export function decisionText(decision: Decision): string {
  return decision.action === 'carry'
    ? `carried from ${originOf(decision).run_name}`
    : `${decision.action}: ${decision.reason}`;
}

function originOf({ from, index }: Exclude<Decision, { action: 'run' }>) {
  return from.originOf(index);
}

export function decisionJson(decision: Decision): object {
  if (decision.action === 'run') return { action: 'run', reason: decision.reason };
  const { run_id, run_name } = originOf(decision);
  const reason = decision.action === 'carry' ? {} : { reason: decision.reason };
  return { action: decision.action, ...reason, from: { run_id, run_name } };
}

const actions = ['run', 'regrade', 'carry'] as const;
const mostReasons = 5;
const mostNames = 5;

/** A line for each kind of decision: how many rows, and why. */
export function renderDecisions({ rows, decisions = [] }: EvaluationList): string[] {
  const found = actions.map((action) => {
    const reasons = new Map<string, Map<string, number>>();
    let count = 0;
    for (const [at, decision] of decisions.entries()) {
      // An error that goes on counting runs, too.
      const does = decision.action === 'repeat' ? 'run' : decision.action;
      if (does !== action) continue;
      count += 1;
      const reason =
        decision.action === 'carry' ? `from ${originOf(decision).run_name}` : decision.reason;
      const names = reasons.get(reason) ?? new Map<string, number>();
      const row = rows[at];
      const name = row?.evaluation.slice(fileOf(row).length + '::'.length) ?? '';
      reasons.set(reason, names.set(name, (names.get(name) ?? 0) + 1));
    }
    return { action, count, reasons };
  });
  const width = Math.max(...found.map(({ count }) => renderCount(count).length));
  return found.flatMap(({ action, count, reasons }) => {
    if (count === 0) return [];
    const texts = [...reasons].slice(0, mostReasons).map(([reason, names]) => {
      return action === 'carry' ? reason : `${reason}: ${nameList(names)}`;
    });
    const more = reasons.size - mostReasons;
    const text = [...texts, ...(more > 0 ? [`${more} more reasons`] : [])].join(' · ');
    return [
      `  ${action.padEnd(8)} ${renderCount(count).padStart(width)}   ${escapeTerminal(text)}`,
    ];
  });
}

function nameList(names: ReadonlyMap<string, number>): string {
  const shown = [...names].slice(0, mostNames).map(([name, count]) => `${name} (${count})`);
  const more = names.size - mostNames;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
