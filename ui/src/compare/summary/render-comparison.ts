import { percent } from '../../components/figures.js';
import type { AgainstBase, ComparedRun, RunComparison } from '../comparison.js';
import { letterOf } from '../letters.js';
import { pText, signed } from '../signed.js';
import { chanceText, intervalText, type SaidDifference } from './words.js';

/** The figures of a comparison as Markdown. */
export function renderComparison({ runs, comparisons }: RunComparison): string {
  const title = runs.map(({ run_name }) => run_name).join(', ');
  return `${[
    `# Compare ${inLine(title)}`,
    table(['', 'run', 'passed', '95 % interval', 'of'], runs.map(runLine)),
    ...comparisons.flatMap((against, n) => againstBase(against, n + 1)),
  ].join('\n\n')}\n`;
}

function runLine({ run_name, pass_rate: { rate, total } }: ComparedRun, run: number): string[] {
  const interval =
    rate?.low == null || rate.high == null ? '' : `${percent(rate.low)} – ${percent(rate.high)}`;
  const share = rate === null ? '–' : `${percent(rate.estimate)} %`;
  return [letterOf(run), run_name, share, interval, String(total)];
}

function againstBase(against: AgainstBase, run: number): string[] {
  const { changes, pass_rate, scores, latency, gates } = against;
  const counts = Object.entries(changes).map(([name, value]) => [
    name.replace('_', ' '),
    String(value),
  ]);
  return [
    `## ${letterOf(run)} against A`,
    table(['change', 'evaluations'], counts),
    table(
      ['measure', 'difference', '95 % interval', 'pairs', 'p', ''],
      [
        line('pass rate', pass_rate, 'ratio'),
        ...scores.map((score) => line(score.key, score, score.type)),
        line('latency, s', latency, 'seconds'),
      ],
    ),
    `Regression: ${inLine(gates.regression.text)}`,
  ];
}

function line(
  name: string,
  said: SaidDifference,
  type: 'ratio' | 'avg' | 'mixed' | 'seconds',
): string[] {
  const { difference, pairs, p_value, beyond_chance } = said;
  return [
    name,
    difference === null ? '–' : signed(difference.estimate, type),
    intervalText(said, type),
    String(pairs),
    p_value === null ? '' : pText(p_value),
    p_value === null ? '' : chanceText(beyond_chance),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const render = (cells: readonly string[]) => `| ${cells.map(inLine).join(' | ')} |`;
  return [render(head), render(head.map(() => '---')), ...rows.map(render)].join('\n');
}

/** Names are whatever their authors wrote: no cell ends early, no tag begins. */
function inLine(text: string): string {
  return text.replace(/[\\|<`*_[\]#]/g, '\\$&').replace(/\s+/g, ' ');
}
