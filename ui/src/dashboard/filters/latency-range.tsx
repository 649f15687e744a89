import { useEffect, useState } from 'react';
import type { RowSummary } from '../../api/schema.js';
import { Field } from '../../components/field.js';
import { counted, duration } from '../../components/figures.js';
import { useView } from '../use-view.js';
import { noChoice, standing, toggleOnly, withChoice } from '../view-state.js';
import styles from './filter-panel.module.css';

/** A range of latencies: two bounds in seconds, or a bar of the histogram. */
export function LatencyRange({ latency }: { latency: RowSummary['latency'] }) {
  const [view, setView] = useView();
  const choice = view.filters.latency;
  const [from = '', to = ''] = (choice.include[0] ?? '').split('..');
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
    <fieldset className={styles.section}>
      <legend>latency</legend>
      <div className={styles.values}>
        <Bound label="Latency from" value={from} onSet={(low) => set(low, to)} />
        <span className="faint">to</span>
        <Bound label="Latency below" value={to} onSet={(high) => set(from, high)} />
        <div className={styles.bars}>
          {latency.histogram.map((bucket) => {
            const range = `${bucket.from === 0 ? '' : bucket.from}..${bucket.to}`;
            const words = `${duration(bucket.from)} to ${duration(bucket.to)}: ${counted(bucket.count, 'result')}`;
            return (
              <button
                key={bucket.from}
                type="button"
                tabIndex={bucket.count === 0 ? -1 : 0}
                aria-label={words}
                title={words}
                aria-pressed={standing(choice, range) === 'in'}
                onClick={() =>
                  setView((now) =>
                    withChoice(now, 'latency', toggleOnly(now.filters.latency, range)),
                  )
                }
              >
                <i className={styles.bar} style={{ height: `${(bucket.count / most) * 100}%` }} />
              </button>
            );
          })}
        </div>
      </div>
    </fieldset>
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
