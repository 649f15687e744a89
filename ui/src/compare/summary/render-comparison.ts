import { boundsText } from '../../../../src/text/share-text.js';
import {
  chanceText,
  differenceText,
  intervalText,
  type MeasureType,
  type PairedDifference,
  sideText,
  type TestedDifference,
} from '../../components/difference-text.js';
import { pText, rateText } from '../../components/figures.js';
import type { AgainstBase, ComparedRun, RunComparison } from '../comparison.js';
import { letterOf } from '../letters.js';
import { noLatencyVerdict, unboundedNote } from './words.js';

/** The figures of a comparison as Markdown. */
export function renderComparison({ runs, comparisons }: RunComparison): string {
  const title = runs.map(({ run_name }) => run_name).join(', ');
  return `${[
    `# Compare ${inLine(title)}`,
    'Whole runs:',
    table(['', 'run', 'config', 'passed', '95 % interval', 'of'], runs.map(runLine)),
    ...comparisons.flatMap((against, n) => againstBase(against, n + 1)),
  ].join('\n\n')}\n`;
}

function runLine(
  { run_name, config_name, pass_rate: { rate, total } }: ComparedRun,
  run: number,
): string[] {
  const interval = rate === null ? '' : boundsText(rate);
  return [letterOf(run), run_name, config_name, rateText(rate?.estimate), interval, String(total)];
}

function againstBase(against: AgainstBase, run: number): string[] {
  const { changes, pass_rate, scores, latency, gates } = against;
  const counts = Object.entries(changes).map(([name, value]) => [
    name.replace('_', ' '),
    String(value),
  ]);
  return [
    `## ${letterOf(run)} against A`,
    table(['change', 'cases'], counts),
    table(
      ['measure', 'A', letterOf(run), 'difference', '95 % interval', 'pairs', 'p', ''],
      [
        line('pass rate', pass_rate, 'ratio', pass_rate),
        ...scores.map((score) => line(score.key, score, score.type, score)),
        line('latency, s', latency, 'seconds'),
      ],
    ),
    [
      `Values and differences are over the same pairs. ${noLatencyVerdict}`,
      unboundedNote([against]),
    ]
      .filter((text) => text !== undefined)
      .join(' '),
    `Regression: ${inLine(gates.regression.text)}`,
  ];
}

function line(
  name: string,
  measure: PairedDifference,
  type: MeasureType,
  test?: Pick<TestedDifference, 'p_value' | 'beyond_chance'>,
): string[] {
  const { pairs } = measure;
  const p = test?.p_value ?? null;
  return [
    name,
    sideText(measure, 'base', type),
    sideText(measure, 'other', type),
    differenceText(measure, type),
    intervalText(measure, type),
    String(pairs),
    p === null ? '' : pText(p),
    test === undefined ? 'no verdict' : p === null ? '' : chanceText(test.beyond_chance),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const render = (cells: readonly string[]) => `| ${cells.map(inLine).join(' | ')} |`;
  return [render(head), render(head.map(() => '---')), ...rows.map(render)].join('\n');
}

/** Escapes a name, so that it cannot end a cell or begin a tag. */
function inLine(text: string): string {
  return text.replace(/[\\|<`*_[\]#]/g, '\\$&').replace(/\s+/g, ' ');
}
