import { useEffect, useState } from 'react';
import type { RowSummary } from '../../api/schema.js';
import { Field } from '../../components/controls/field.js';
import { useFilter, useView } from '../use-view.js';
import { noChoice, withChoice } from '../view-state.js';
import styles from './filter-panel.module.css';
import { bucketRange, bucketText } from './filter-text.js';

/** A range of latencies: two bounds in seconds, or a bar of the histogram. */
export function LatencyRange({ latency }: { latency: RowSummary['latency'] }) {
  const [view, setView] = useView();
  const { isIn, toggle } = useFilter('latency');
  const [from = '', to = ''] = (view.filters.latency.include[0] ?? '').split('..');
  const set = (low: string, high: string) =>
    setView((now) =>
      withChoice(
        now,
        'latency',
        low === '' && high === '' ? noChoice : { include: [`${low}..${high}`], exclude: [] },
      ),
    );
  const most = Math.max(...latency.histogram.map(({ count }) => count));
  return (
    <>
      <Bound label="Latency from" value={from} onSet={(low) => set(low, to)} />
      <span className="faint">to</span>
      <Bound label="Latency below" value={to} onSet={(high) => set(from, high)} />
      <div className={styles.bars}>
        {latency.histogram.map((bucket) => {
          const range = bucketRange(bucket);
          const words = bucketText(bucket);
          return (
            <button
              key={bucket.from}
              type="button"
              tabIndex={bucket.count === 0 ? -1 : 0}
              aria-label={words}
              title={words}
              aria-pressed={isIn(range)}
              onClick={() => toggle(range)}
            >
              <i className={styles.bar} style={{ height: `${(bucket.count / most) * 100}%` }} />
            </button>
          );
        })}
      </div>
    </>
  );
}

function Bound({
  label,
  value,
  onSet,
}: {
  label: string;
  value: string;
  onSet: (value: string) => void;
}) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const clean = text.trim().replace(',', '.');
  const isBad = clean !== '' && !(Number(clean) >= 0 && Number.isFinite(Number(clean)));
  const set = () => {
    if (!isBad && clean !== value) onSet(clean === '' ? '' : String(Number(clean)));
  };
  return (
    <Field
      className={styles.field}
      label={label}
      inputMode="decimal"
      placeholder="any"
      end={<span className="faint">s</span>}
      bad={isBad}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={set}
      onKeyDown={(event) => {
        if (event.key === 'Enter') set();
      }}
    />
  );
}
