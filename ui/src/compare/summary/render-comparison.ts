import { boundsText } from '../../../../src/text/share-text.js';
import type { AgainstBase, ComparedRun, RunComparison } from '../../api/schema.js';
import { rateText } from '../../components/figures/figures.js';
import { letterOf } from '../letters.js';
import {
  carriedNote,
  cellsOf,
  leftOutTexts,
  measureLines,
  noVerdictText,
  scoreNotes,
  unboundedNote,
} from './words.js';

/** The figures of a comparison as Markdown. */
export function renderComparison({ runs, comparisons }: RunComparison): string {
  const title = runs.map(({ run_name }) => run_name).join(', ');
  return `${[
    `# Compare ${inLine(title)}`,
    'Whole runs:',
    table(['', 'run', 'config', 'passed', '95 % interval', 'of'], runs.map(runLine)),
    ...comparisons.flatMap((against, n) => againstBase(runs, against, n + 1)),
  ].join('\n\n')}\n`;
}

function runLine(
  { run_name, config_name, pass_rate: { rate, total } }: ComparedRun,
  run: number,
): string[] {
  const interval = rate === null ? '' : boundsText(rate);
  return [letterOf(run), run_name, config_name, rateText(rate?.estimate), interval, String(total)];
}

function againstBase(runs: readonly ComparedRun[], against: AgainstBase, run: number): string[] {
  const { changes, gates } = against;
  const counts = Object.entries(changes).map(([name, value]) => [
    name.replace('_', ' '),
    String(value),
  ]);
  const carried = carriedNote(against);
  return [
    `## ${letterOf(run)} against A`,
    table(['change', 'cases'], counts),
    table(
      ['measure', 'A', letterOf(run), 'difference', '95 % interval', 'pairs', 'p', ''],
      measureLines(against).map((measure) => {
        const { base, other, difference, interval, p, chance } = cellsOf(measure);
        return [measure.name, base, other, difference, interval, String(measure.pairs), p, chance];
      }),
    ),
    [
      `Values and differences are over the same pairs. ${noVerdictText([against])}`,
      carried && `${carried}.`,
      ...leftOutTexts(against).map((text) => `${text}.`),
      unboundedNote([against]),
      // Of the base and this run.
      ...scoreNotes(
        [0, run].flatMap((at) => runs[at] ?? []),
        against,
      ).map((text) => `${inLine(text)}.`),
    ]
      .filter((text) => text !== undefined)
      .join(' '),
    `Regression: ${inLine(gates.regression.text)}`,
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
