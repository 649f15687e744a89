import type { PlannedSize, RunPlan } from '../../compare/plan-run.js';
import { mostTrials } from '../../compare/power/plan-sizes.js';
import type { DropForm } from '../../compare/power/planned-power.js';
import { alikeTrialsText, unknownDropText } from '../../text/chance-text.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { renderNumber } from '../../text/number-text.js';
import { percentText } from '../../text/share-text.js';
import { renderCost } from '../../text/usage-text.js';
import { asTyped } from '../as-typed.js';
import { escapeTerminal, padEnd, wrapLine } from '../terminal/terminal-text.js';

/** A line: a sentence, or a figure with its label. */
type Line = string | readonly [label: string, text: string];

const indent = '  ';
const labelWidth = 18;

/** What runs of the size of a saved one find, and what a wanted drop takes, in lines of at most so many columns. */
export function renderPlan(plan: RunPlan, columns: number): string {
  const room = columns - indent.length;
  return linesOf(plan)
    .flatMap((line) => {
      if (typeof line === 'string') return wrapLine(line, room);
      const [label, text] = line;
      return wrapLine(text, room - labelWidth).map(
        (part, at) => padEnd(at === 0 ? label : '', labelWidth) + part,
      );
    })
    .map((line) => (indent + line).trimEnd())
    .join('\n');
}

function linesOf(plan: RunPlan): Line[] {
  const { size, run_name: name, pass_rate: passRate, clusters } = plan;
  if (passRate === null) return [noVerdictText(plan)];
  const title = `${sizeText(size)}, as in ${escapeTerminal(name)}`;
  if (clusters !== undefined) return [title, `${upperFirst(unknownDropText)}.`, ...remarks(plan)];
  if (passRate === 0) return [title, 'Nothing passes, so nothing can get worse.', ...remarks(plan)];
  if (plan.is_worst_case) return [title, ...formLines(plan, 'broken'), '', ...remarks(plan)];
  return [
    ...[title, ...formLines(plan, 'alike'), ''],
    ...['where a few evaluations no longer pass, and the others stay as they are'],
    ...[...formLines(plan, 'broken'), ''],
    ...[...varianceLines(plan), ...remarks(plan)],
  ];
}

function noVerdictText({ run_name: name, without_verdict, unfinished }: RunPlan): string {
  const run = escapeTerminal(name);
  if (without_verdict > 0) return `No result of ${run} has a verdict, so there is no pass rate.`;
  return unfinished > 0
    ? `No result of ${run} has finished, so nothing is known of its pass rate.`
    : `${run} has no results.`;
}

function formLines(plan: RunPlan, form: DropForm): Line[] {
  const { finds, wanted, is_worst_case: isWorst } = plan;
  const found = finds[form];
  const smallest =
    found === null
      ? 'none 4 times in 5, not even a fall to 0 %'
      : `${isWorst ? '≤ ' : ''}${(found * 100).toFixed(1)} points   4 times in 5`;
  const lines: Line[] = [['finds a drop of', smallest]];
  if (wanted !== undefined) lines.push([`for ${pointsOf(wanted.drop)}`, wantedText(plan, form)]);
  return lines;
}

function wantedText(plan: RunPlan, form: DropForm): string {
  const { wanted, size, pass_rate: passRate, is_worst_case: isWorst } = plan;
  if (wanted === undefined || passRate === null) return '';
  if (wanted.drop > passRate) return `more than there is to lose: ${percentText(passRate)} % pass`;
  const { evaluations, trials } = wanted[form];
  const most = isWorst ? '≤ ' : '';
  const [least, largest] = size.trials;
  const byTrials =
    trials === null
      ? `not by trials alone (${mostTrials} are too few)`
      : `${most}× ${trialsText(trials)}${costText(trials)}`;
  const same = least === largest ? ` × ${renderCount(least)}` : '';
  const byCases =
    evaluations === null
      ? 'not by evaluations alone (a million are too few)'
      : `${most}${countOf(evaluations.evaluations, 'evaluation')}${same}${costText(evaluations)}`;
  return `${byTrials}, or ${byCases}`;
}

function sizeText(size: PlannedSize): string {
  return `${countOf(size.evaluations, 'evaluation')} × ${trialsText(size)}`;
}

/** `5 trials`; `1–5 trials` where evaluations have different numbers. */
function trialsText({ trials: [least, most] }: PlannedSize): string {
  return least === most
    ? countOf(most, 'trial')
    : `${renderCount(least)}–${countOf(most, 'trial')}`;
}

function costText({ cost }: PlannedSize): string {
  if (cost === undefined) return '';
  const { dollars, is_lower_bound: isLowerBound } = cost;
  if (dollars === null) return ' (cost unknown)';
  const text = renderCost({ cost: dollars, unpriced: isLowerBound ? 1 : 0 });
  return ` (${isLowerBound ? text : `≈ ${text}`})`;
}

function pointsOf(drop: number): string {
  const points = renderNumber(drop * 100);
  return `${points} ${points === '1' ? 'point' : 'points'}`;
}

function varianceLines({ variance }: RunPlan): Line[] {
  if (variance === null) return [];
  const { between, within } = variance;
  if (between + within === 0) return [['variance', 'none: all results are alike']];
  const share = (of: number) => `${percentText(of / (between + within))} %`;
  const text = `${share(between)} between evaluations, which pairs cancel; ${share(within)} within them, which more trials reduce`;
  return [['variance', text]];
}

/** With fewer, how results vary is hardly known. */
const fewEvaluations = 20;

function remarks(plan: RunPlan): string[] {
  const { is_worst_case: isWorst, unfinished, without_verdict: without, errors, size } = plan;
  const rest = unfinished === 1 ? 'has not finished' : 'have not finished';
  const counts = errors === 1 ? 'is an error, which counts' : 'are errors, which count';
  return [
    isWorst && asTyped(`${singleTrials} To know: assay run --trials 3`),
    plan.trials_alike && `${upperFirst(alikeTrialsText)}.`,
    size.evaluations < fewEvaluations &&
      `${countOf(size.evaluations, 'evaluation')} can hardly show how others vary: take the sizes as rough.`,
    unfinished > 0 &&
      `${countOf(unfinished, 'result')} of ${renderCount(size.results)} ${rest}, and may be unlike the others.`,
    without > 0 && `Without a verdict, and left out: ${countOf(without, 'evaluation')}.`,
    errors !== null && errors > 0 && `${countOf(errors, 'result')} ${counts} as not passed.`,
  ].filter((text) => typeof text === 'string');
}

const singleTrials =
  'Single trials do not show how much results vary by chance, so the worst is assumed.';

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
