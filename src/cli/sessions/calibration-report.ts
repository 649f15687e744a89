import type {
  CalibratedJudge,
  DisagreementJson,
  RunCalibration,
} from '../../compare/calibrate-run.js';
import type { LabelAgreement, LabelShare } from '../../model/calibration/calibration.js';
import { renderPercent } from '../../model/summary/figure-text.js';
import type { Bounds } from '../../statistics/bounds.js';
import {
  hundredthsText,
  missingText,
  nextLabels,
  versionText,
} from '../../text/calibration-text.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { figureText } from '../../text/number-text.js';
import { scoreName } from '../../text/score-name.js';
import { boundsText } from '../../text/share-text.js';
import { shellWord } from '../../text/shell-word.js';
import { asTyped } from '../as-typed.js';
import { renderFittedColumns } from '../terminal/fitted-columns.js';
import { escapeTerminal, wrapLine } from '../terminal/terminal-text.js';

/** Renders how far the judges of a run can be trusted: a table, then what its labels are. */
export function renderCalibrations(
  { judges, left_to_draw }: Pick<RunCalibration, 'judges' | 'left_to_draw'>,
  { run, width }: { readonly run: string; readonly width: number | undefined },
): string {
  const names = judges.map((judge) => escapeTerminal(nameOf(judge, judges)));
  const figures = judges.map((judge) => judge.figures);
  const table = renderFittedColumns(
    [
      { title: 'judge', cells: names, shrinkTo: 12 },
      { title: 'TPR', cells: figures.map((of) => coefficient(of?.tpr)) },
      { title: 'TNR', cells: figures.map((of) => coefficient(of?.tnr)) },
      { title: 'kappa', cells: figures.map((of) => coefficient(of?.kappa)), rank: 1 },
      { title: 'AC1', cells: figures.map((of) => coefficient(of?.ac1)), rank: 2 },
      { title: 'n', cells: judges.map(({ n }) => renderCount(n)), rank: 3 },
      { title: 'as judged', cells: judges.map(judgedText), rank: 4 },
      { title: 'corrected', cells: judges.map(({ corrected }) => rateText(corrected)) },
    ],
    width,
  ).split('\n');
  const nameWidth = Math.max(5, ...names.map((name) => name.length));
  const lines = judges.map((judge, at) => {
    const missing = reviewText(judge, { run, left: left_to_draw });
    if (missing === undefined) return table[at + 1] ?? '';
    const name = names[at] ?? '';
    const line = `  ${name.padEnd(nameWidth)}   ${missing.join(': ')}`;
    if (width === undefined || line.length <= width) return line;
    return [
      `  ${name}`,
      ...missing.flatMap((part) => wrapLine(part, Math.max(20, width - 4))),
    ].join('\n    ');
  });
  const shown = judges.some(({ corrected }) => corrected !== undefined) ? [table[0] ?? ''] : [];
  const notes = judges.flatMap((judge) => notesOf(judge, nameOf(judge, judges), run));
  return [...shown, ...lines, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}

/** The name of its score, with the version of the rubric where a score has several. */
function nameOf(
  { key, rubric_version }: Pick<CalibratedJudge, 'key' | 'rubric_version'>,
  all: readonly Pick<CalibratedJudge, 'key' | 'rubric_version'>[],
): string {
  const version = versionText({ key, rubric_version }, all);
  return version === undefined ? scoreName(key) : `${scoreName(key)} (${version})`;
}

/** `.96 (.91–.98)` */
function coefficient(figure: LabelShare | LabelAgreement | null | undefined): string {
  if (figure === undefined || figure === null) return '–';
  return `${hundredthsText(figure.estimate)} (${hundredthsText(figure.low)}–${hundredthsText(figure.high)})`;
}

function judgedText({ gives, judged }: CalibratedJudge): string {
  const { estimate, low = null, high = null } = judged;
  if (judged.n === 0) return '–';
  return gives === 'verdicts' ? rateText({ estimate, low, high }) : figureText(estimate);
}

function rateText(rate: (Bounds & { readonly estimate: number }) | undefined): string {
  return rate === undefined ? '–' : `${renderPercent(rate.estimate)} (${boundsText(rate)})`;
}

/** `needs 20 fails, has 14` and `assay review latest --score grounded --more 80`: what is missing, and what to do. */
function reviewText(
  judge: CalibratedJudge,
  { run, left }: { readonly run: string; readonly left: number },
): string[] | undefined {
  const next = nextLabels(judge, left);
  if (judge.missing === undefined || next === undefined) return undefined;
  const needs = missingText(judge.missing);
  const command = reviewCommand(judge, run);
  switch (next.kind) {
    case 'none':
      return [`${needs}; no results are left to draw`];
    case 'newest':
      return [`${needs}; label the drawn results by the newest rubric first`, command];
    case 'drawn':
      return [
        `${needs}; label the ${countOf(next.count, 'drawn result')} without a label first`,
        command,
      ];
    default: {
      const few =
        next.count < next.of
          ? ` (of about ${renderCount(next.of)}, ${renderCount(next.count)} are left)`
          : '';
      return [needs, `${command} --more ${next.count}${few}`];
    }
  }
}

function reviewCommand({ key }: CalibratedJudge, run: string): string {
  return escapeTerminal(asTyped(`assay review ${shellWord(run)} --score ${shellWord(key)}`));
}

/** What the labels of a judge are, beside those that count. */
function notesOf(judge: CalibratedJudge, name: string, run: string): string[] {
  const { labels, alpha, judge_versions, judge_models, rubric_changed, missing } = judge;
  // What is missing has the command, too.
  const newest = missing === undefined ? `: ${reviewCommand(judge, run)}` : '';
  const counts = [
    ...(rubric_changed ? [`by an older rubric than the one that counts now${newest}`] : []),
    ...(labels.unsure > 0 ? [`${renderCount(labels.unsure)} unsure`] : []),
    ...(labels.skipped > 0 ? [`${renderCount(labels.skipped)} skipped`] : []),
    ...(labels.tied > 0 ? [`${renderCount(labels.tied)} left out, as reviewers disagree`] : []),
    ...(labels.not_judged > 0 ? [`${renderCount(labels.not_judged)} not judged`] : []),
    ...(labels.not_drawn > 0
      ? [`${renderCount(labels.not_drawn)} left out, not drawn at random as they are now`]
      : []),
    ...(alpha === undefined
      ? []
      : [
          `${labels.reviewers} reviewers: alpha ${coefficient({ ...alpha, standard_error: 0 })} over ${countOf(alpha.n, 'result')}`,
        ]),
    ...(judge_versions.length > 1
      ? [`several judges: rubric_version ${judge_versions.join(', ')}`]
      : []),
    ...(judge_models.length > 1 ? [`several models: ${judge_models.join(', ')}`] : []),
  ];
  return counts.length === 0 ? [] : [`  ${escapeTerminal(`${name}: ${counts.join(' · ')}`)}`];
}

/** Renders the results on which people and judge disagree. */
export function renderDisagreements(
  { disagreements, judges }: Pick<RunCalibration, 'disagreements' | 'judges'>,
  width: number | undefined,
): string {
  const cells = (textOf: (one: DisagreementJson) => string) =>
    disagreements.map((one) => escapeTerminal(textOf(one)).replaceAll(/\s*\n\s*/g, ' '));
  return renderFittedColumns(
    [
      { title: 'judge', cells: cells((one) => nameOf(one, judges)), shrinkTo: 8 },
      { title: 'result', cells: cells(({ name }) => name), shrinkTo: 16 },
      { title: 'people', cells: cells(({ verdict }) => verdict) },
      {
        title: 'note',
        cells: cells(({ notes }) => notes.map(({ note }) => note).join(' / ')),
        shrinkTo: 8,
      },
      { title: 'judge', cells: cells(({ judge }) => (judge.passed ? 'pass' : 'fail')) },
      { title: 'its reason', cells: cells(({ judge }) => judge.notes ?? ''), shrinkTo: 10 },
    ],
    width,
  );
}
