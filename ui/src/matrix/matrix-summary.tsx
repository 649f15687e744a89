import type { ReactNode } from 'react';
import { percentText } from '../../../src/text/share-text.js';
import type { VariantFigures } from '../api/schema.js';
import {
  changeText,
  differenceText,
  intervalText,
  verdictOf,
  wholeText,
} from '../components/figures/difference-text.js';
import { count, counted, duration } from '../components/figures/figures.js';
import { Icon } from '../components/icons/icon.js';
import { MiddleCut } from '../components/names/middle-cut.js';
import { costText } from './cells.js';
import styles from './matrix-summary.module.css';
import { ParamChips, paramText } from './params.js';
import { Scatter, type VariantHead } from './scatter.js';
import { VariantTag } from './variant-tag.js';

type Factor = NonNullable<VariantFigures['factors']>[number];

/** The figures of all runs together: pass rate against cost, what each param does, and what stands out. */
export function MatrixSummary({ figures, current }: { figures: VariantFigures; current: number }) {
  const { runs, factors = [], notes } = figures;
  return (
    <section className={styles.summary} aria-label="Summary">
      <Scatter runs={runs} current={current} />
      <div className={styles.words}>
        {factors.length > 0 && <Factors factors={factors} />}
        <ul className={styles.said}>
          <Cheapest runs={runs} />
          <Best runs={runs} />
        </ul>
        <p className={styles.note}>
          {counted(figures.common_cases, 'case')} with a verdict in all runs
          {runs.length > 2 && `, corrected for ${runs.length - 1} comparisons`}.{' '}
          <span className="better">▲</span> <span className="worse">▼</span> beyond chance. ◆
          nothing cheaper passes more.
        </p>
        {notes.map((note) => (
          <p key={note} className={styles.note}>
            {note}
          </p>
        ))}
      </div>
    </section>
  );
}

function Factors({ factors }: { factors: readonly Factor[] }) {
  const ends = factors.flatMap(({ difference: of }) =>
    of === null ? [] : [of.low ?? of.estimate, of.high ?? of.estimate].map(Math.abs),
  );
  // Whole fives of points on both sides.
  const end = Math.max(0.05, Math.ceil(Math.max(...ends) * 20 - 1e-9) / 20);
  const at = (value: number) => `${(50 + (50 * value) / end).toFixed(2)}%`;
  return (
    <div className={styles.factors} role="table" aria-label="What made the difference">
      <div role="row" className={styles.head}>
        <span role="columnheader">what made the difference</span>
        <span role="columnheader" className={styles.scale} aria-label="points">
          <span>−{Math.round(end * 100)}</span>
          <span>0</span>
          <span>+{Math.round(end * 100)}</span>
        </span>
        <span role="columnheader" className={styles.points}>
          points
        </span>
      </div>
      {factors.map((factor) => {
        const { param, from, to, difference: of } = factor;
        return (
          <div key={`${param} ${JSON.stringify(to)}`} role="row" className={styles.row}>
            <span role="rowheader">
              <b>{param}</b>{' '}
              <span className="quiet">
                {paramText(from)} → {paramText(to)}
              </span>
            </span>
            <span role="cell" className={styles.range} title={wholeText(factor, 'ratio')}>
              {of !== null && (
                <>
                  {of.low !== null && of.high !== null && (
                    <i style={{ left: at(of.low), right: `calc(100% - ${at(of.high)})` }} />
                  )}
                  <em style={{ left: at(of.estimate) }} />
                </>
              )}
              <span className="sr">{intervalText(factor, 'ratio')}</span>
            </span>
            <span role="cell" className={styles.points}>
              {differenceText(factor, 'ratio')}
            </span>
          </div>
        );
      })}
    </div>
  );
}

/** The cheapest run without a difference beyond chance, if it is not the base. It is never called as good. */
function Cheapest({ runs }: { runs: readonly VariantHead[] }) {
  const costOf = (at: number) => {
    const cost = runs[at]?.cost;
    return cost?.unknown === 0 ? cost.per_case : null;
  };
  const base = costOf(0);
  if (base === null || base === undefined || base === 0) return null;
  const cheapest = [...runs.keys()]
    .filter((at) => {
      const { difference } = runs[at] ?? {};
      const cost = costOf(at) ?? Number.POSITIVE_INFINITY;
      return difference?.difference && !difference.beyond_chance && cost < base;
    })
    .sort((a, b) => (costOf(a) ?? 0) - (costOf(b) ?? 0))[0];
  const difference = cheapest === undefined ? undefined : runs[cheapest]?.difference;
  if (cheapest === undefined || difference === undefined) return null;
  return (
    <Said run={cheapest}>
      costs <b>{percentText((costOf(cheapest) ?? 0) / base)} %</b> of <VariantTag run={0} />; no
      difference beyond chance: <b>{changeText(difference, 'ratio')}</b>,{' '}
      {intervalText(difference, 'ratio')}.
    </Said>
  );
}

/** The run that passes most of those that pass more than the base beyond chance, and what its rate is when it runs again. */
function Best({ runs }: { runs: readonly VariantHead[] }) {
  const gain = (at: number) => runs[at]?.difference?.difference?.estimate ?? 0;
  const [best] = [...runs.keys()]
    .filter((at) => runs[at]?.difference && verdictOf(runs[at].difference) === 'better')
    .sort((a, b) => gain(b) - gain(a));
  const again = runs.findIndex((run) => run.expected_again !== undefined);
  const difference = best === undefined ? undefined : runs[best]?.difference;
  return (
    <>
      {best !== undefined && difference && (
        <Said run={best}>
          passes more than <VariantTag run={0} />:{' '}
          <b className="better">{changeText(difference, 'ratio')}</b>,{' '}
          {intervalText(difference, 'ratio')}.
        </Said>
      )}
      {again >= 0 && (
        <Said run={again}>
          best of {count(runs.length)}: expect{' '}
          <b>{percentText(runs[again]?.expected_again ?? 0)} %</b> when run again.
        </Said>
      )}
    </>
  );
}

function Said({ run, children }: { run: number; children: ReactNode }) {
  return (
    <li>
      <VariantTag run={run} />
      <span>{children}</span>
    </li>
  );
}

/** The runs of a narrow page, whose heads have no room for params, cost and p50. */
export function VariantList({ runs, current }: { runs: readonly VariantHead[]; current: number }) {
  return (
    <details className={styles.list} open>
      <summary>
        <Icon name="down" small />
        <b>Variants</b>
        <span className="quiet">what differs, cost per case, p50</span>
      </summary>
      <ul>
        {runs.map((run, at) => (
          <li key={run.run_id}>
            <VariantTag run={at} isCurrent={at === current} />
            <b>
              <MiddleCut text={run.run_name} />
            </b>
            <ParamChips runs={runs} at={at} />
            <span className="num">{(run.cost && costText(run.cost)) ?? '–'}</span>
            <span className="num">{run.p50 === null ? '–' : duration(run.p50)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
