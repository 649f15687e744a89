import { testText } from '../../../src/text/chance-text.js';
import { percentText } from '../../../src/text/share-text.js';
import { renderCost } from '../../../src/text/usage-text.js';
import type { MatrixCell, MatrixPage } from '../api/schema.js';
import { letterOf } from '../compare/letters.js';
import { trialsStanding } from '../compare/pairs/pair-words.js';
import { verdictOf, wholeText } from '../components/figures/difference-text.js';
import { duration, figure, percentilesText } from '../components/figures/figures.js';
import { StatusIcon } from '../components/icons/status-icon.js';
import { type CaseStanding, standingText } from '../components/scores/standing.js';
import styles from './cells.module.css';

/** The figures of a dataset in one run. */
export type DatasetFigures = MatrixPage['datasets'][number]['runs'][number];

type CaseCost = NonNullable<MatrixCell['cost']>;

/** What a cell shows of a case: `show` as in the view. */
export function CellContent({ cell, show }: { cell: MatrixCell | null; show: string }) {
  if (cell === null) return <Missing text="not in this run" />;
  if (show === 'verdict') return <Verdict cell={cell} />;
  if (cell.finished === 0) return <Verdict cell={cell} />;
  if (show === 'latency') {
    return cell.latency === null ? <None text="no latency" /> : duration(cell.latency);
  }
  if (show === 'cost') return <Cost cost={cell.cost} />;
  return <Score cell={cell} />;
}

/** The state of a case in one run. */
export function cellStanding({ standings, passed, finished }: MatrixCell): CaseStanding {
  return trialsStanding({ standings, flaky: passed > 0 && passed < finished });
}

/** The share of a cell that failed, of what its tint is: of all trials, or of one score; `undefined` for no verdict. */
export function failedShare(cell: MatrixCell, show: string): number | undefined {
  if (show === 'cost' || show === 'latency') return undefined;
  if (show === 'verdict') {
    return cell.judged === 0 ? undefined : 1 - cell.passed / cell.judged;
  }
  const verdicts = cell.score?.verdicts;
  return verdicts ? 1 - verdicts.passes / verdicts.of : undefined;
}

function Verdict({ cell }: { cell: MatrixCell }) {
  const standing = cellStanding(cell);
  if (cell.results === 1 || cell.finished === 0) return <StatusIcon standing={standing} />;
  const { moved } = cell;
  return (
    <>
      {moved && <Arrow verdict={moved.direction} hint={`p ${testText(moved)}`} />}
      <Trials passes={cell.passed} of={cell.results} hint={standingText(standing)} />
    </>
  );
}

/** What differs from the base beyond chance. */
function Arrow({ verdict, hint }: { verdict: 'better' | 'worse'; hint: string }) {
  const text = `${verdict} than ${letterOf(0)} beyond chance`;
  return (
    <b className={verdict} title={`${text}: ${hint}`}>
      <span aria-hidden="true">{verdict === 'better' ? '▲' : '▼'}</span>
      <span className="sr">{text} </span>
    </b>
  );
}

function Trials({ passes, of, hint }: { passes: number; of: number; hint?: string }) {
  return (
    <span className={passes === of ? styles.all : styles.trials} title={hint}>
      {passes}/{of}
      <span className="sr"> passed</span>
    </span>
  );
}

function Score({ cell: { score } }: { cell: MatrixCell }) {
  if (score === undefined) return <None text="no such score" />;
  const { verdicts, mean } = score;
  if (verdicts === null) return <>{mean === null ? '' : figure(mean)}</>;
  if (verdicts.of > 1) return <Trials passes={verdicts.passes} of={verdicts.of} />;
  return (
    <>
      <StatusIcon standing={verdicts.passes === 1 ? 'passed' : 'failed'} />
      {mean !== null && <span>{figure(mean)}</span>}
    </>
  );
}

function Cost({ cost }: { cost: CaseCost | undefined }) {
  if (cost === undefined) return <None text="no calls" />;
  const text = costText(cost);
  return text === undefined ? <Unknown text="cost unknown" /> : text;
}

/** `$0.0040`, `≥ $0.0040` if a part is unknown, `($0.0040)` for replayed calls; `undefined` if nothing is known. */
export function costText({ per_case: cost, unknown, replayed }: CaseCost): string | undefined {
  if (cost === null) return undefined;
  const text = renderCost({ cost, unpriced: unknown });
  return replayed === undefined ? text : `(${text})`;
}

/** What the line of a dataset shows of a run. */
export function DatasetFigure({
  figures: { cases, pass_rate: rate, p50, cost, score, difference },
  show,
}: {
  figures: DatasetFigures;
  show: string;
}) {
  if (cases === 0) return <Missing text="not in this run" />;
  if (show === 'latency') return p50 === null ? <None text="no latency" /> : duration(p50);
  if (show === 'cost') return <Cost cost={cost} />;
  if (show === 'verdict') {
    const verdict = difference && verdictOf(difference);
    return (
      <>
        {verdict && <Arrow verdict={verdict} hint={wholeText(difference, 'ratio')} />}
        <Rate of={rate} />
      </>
    );
  }
  if (score === undefined) return <None text="no such score" />;
  if (score.type === 'ratio') return <Rate of={score} />;
  if (score.mean === null && score.percentiles === undefined) return <None text="no mean" />;
  return <>{percentilesText(score.percentiles) ?? figure(score.mean?.estimate ?? 0)}</>;
}

function Rate({ of: { passed, total, rate } }: { of: DatasetFigures['pass_rate'] }) {
  if (total === 0) return <None text="no verdict" />;
  return (
    <span title={`${passed} of ${total} passed`}>
      {rate === null ? `${passed}/${total}` : percentText(rate.estimate)}
      {rate !== null && <span className={styles.unit}> %</span>}
    </span>
  );
}

const sign = (drawn: string) =>
  function Sign({ text }: { text: string }) {
    return (
      <span className="faint" title={text}>
        <span aria-hidden="true">{drawn}</span>
        <span className="sr">{text}</span>
      </span>
    );
  };

const Missing = sign('·');
const None = sign('–');
const Unknown = sign('?');
