import type { ReactNode } from 'react';
import { hasCalls } from '../../../../src/model/calls/run-usage.js';
import {
  amountNames,
  besideTaken,
  renderAllTokens,
  renderCalls,
  renderCost,
  usageHint,
} from '../../../../src/text/usage-text.js';
import type { AgainstBase, ComparedRun, RunComparison } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { valueText, wholeText } from '../../components/figures/difference-text.js';
import { RunTag, runColor } from '../run-tag.js';
import { useCompareView } from '../use-compare-view.js';
import { defaultSort } from '../view-state.js';
import styles from './amount-rows.module.css';
import { latencyScale } from './measures.js';

interface Amount {
  /** What the pairs can be sorted by, the largest increase first. */
  readonly sort?: 'latency' | 'cost' | 'tokens' | 'calls';
  readonly head: string;
  /** Says what the button of the head does. */
  readonly title?: string;
  readonly hint?: (run: ComparedRun, against: AgainstBase | undefined) => string | undefined;
  readonly draw: (run: ComparedRun, position: number) => ReactNode;
}

/** The range of most latencies of each run, with the median. The differences have no verdict. */
export function LatencyRanges({ comparison }: { comparison: RunComparison }) {
  const scale = latencyScale(comparison.runs.flatMap(({ latency: { p5, p95 } }) => [p5, p95]));
  if (scale === undefined) return null;
  return (
    <AmountRows
      label="Latency by run"
      comparison={comparison}
      hint={(against) => wholeText(against.latency, 'seconds')}
      amounts={[
        {
          sort: 'latency',
          head: `whole run latency, ${scale.text}`,
          title: 'p5 to p95. Sort by the change in latency, the slowest first',
          draw: ({ usage, latency: { p5, p50, p95 } }, run) => {
            if (p50 === null) {
              const isReplayed = (usage?.replayed ?? 0) > 0;
              return isReplayed ? <small>replayed</small> : <span className={styles.range} />;
            }
            const from = p5 === null ? 0 : scale.at(p5);
            const to = p95 === null ? 0 : scale.at(p95);
            return (
              <span className={styles.range}>
                <i
                  className={runColor(run)}
                  style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
                />
                <em style={{ left: `${scale.at(p50) * 100}%` }} />
              </span>
            );
          },
        },
        { head: 'p50', draw: ({ latency }) => <b>{valueText(latency.p50, 'seconds')}</b> },
        { head: 'p95', draw: ({ latency }) => valueText(latency.p95, 'seconds') },
      ]}
    />
  );
}

/** The total usage of each run; nothing without calls. The differences have no verdict. */
export function UsageRows({ comparison }: { comparison: RunComparison }) {
  if (!comparison.runs.some(({ usage }) => hasCalls(usage))) return null;
  const amounts = [
    { sort: 'cost', type: 'dollars', render: renderCost },
    { sort: 'tokens', type: 'tokens', render: renderAllTokens },
    { sort: 'calls', type: 'calls', render: renderCalls },
  ] as const;
  return (
    <AmountRows
      label="Usage by run"
      className={styles.usage}
      comparison={comparison}
      amounts={amounts.map(({ sort, type, render }) => ({
        sort,
        head: sort === 'cost' ? 'whole run cost' : amountNames[sort],
        title: `Sort by what ${amountNames[sort]} changed by, the largest increase first`,
        hint: ({ usage }, against) =>
          [
            against?.usage && wholeText(against.usage[sort], type),
            sort === 'cost' && usageHint(usage),
          ]
            .filter(Boolean)
            .join('; '),
        draw: ({ usage }) => {
          const text = (usage && besideTaken(usage, render)) || '–';
          return sort === 'cost' ? <b>{text}</b> : text;
        },
      }))}
    />
  );
}

/** A table of amounts, a row for each run. */
function AmountRows({
  label,
  className,
  comparison: { runs, comparisons },
  hint,
  amounts,
}: {
  label: string;
  className?: string | undefined;
  comparison: RunComparison;
  hint?: (against: AgainstBase) => string;
  amounts: readonly Amount[];
}) {
  return (
    <div className={className} role="table" aria-label={label}>
      <div className={classNames(styles.row, styles.head)} role="row">
        <span role="columnheader">
          <span className="sr">run</span>
        </span>
        {amounts.map(({ sort, head, title }) => (
          <span key={head} role="columnheader">
            {sort === undefined ? (
              head
            ) : (
              <SortButton sort={sort} title={title}>
                {head}
              </SortButton>
            )}
          </span>
        ))}
      </div>
      {runs.map((run, position) => {
        const against = comparisons[position - 1];
        return (
          <div
            key={run.run_id}
            className={styles.row}
            role="row"
            title={against && hint?.(against)}
          >
            <span role="rowheader">
              <RunTag run={position} />
            </span>
            {amounts.map((amount) => (
              <span key={amount.head} role="cell" title={amount.hint?.(run, against)}>
                {amount.draw(run, position)}
              </span>
            ))}
          </div>
        );
      })}
    </div>
  );
}

/** The head of a column by whose change the pairs can be sorted, the largest increase first. */
function SortButton({
  sort,
  title,
  children,
}: {
  sort: string;
  title: string | undefined;
  children: ReactNode;
}) {
  const [view, setView] = useCompareView();
  const isOn = view.sort === sort;
  return (
    <button
      type="button"
      className={styles.button}
      aria-pressed={isOn}
      title={title}
      onClick={() =>
        setView((now) => ({ ...now, sort: isOn ? defaultSort : sort, descending: !isOn }))
      }
    >
      {children}
    </button>
  );
}
