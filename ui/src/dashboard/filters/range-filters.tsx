import { useEffect, useState } from 'react';
import type { RowSummary } from '../../api/schema.js';
import { Field } from '../../components/controls/field.js';
import { joinBuckets, sumBuckets } from '../summary/latency-buckets.js';
import { useFilter, useView } from '../use-view.js';
import { withChoice } from '../view-state.js';
import styles from './filter-panel.module.css';
import { bucketRange, bucketText } from './filter-text.js';
import { Pill } from './pill.js';

/** Bars that are wide enough to be hit on the narrowest screen. */
const mostBars = 8;

/** A range of latencies: two bounds in seconds, or a bar of a coarse histogram. */
export function LatencyRange({ latency }: { latency: RowSummary['latency'] }) {
  const { isIn, toggle } = useFilter('latency');
  const { histogram } = latency;
  const least = Math.ceil(histogram.length / mostBars);
  const buckets = joinBuckets(histogram, () => 1, least).map(sumBuckets);
  const most = Math.max(...buckets.map(({ count }) => count));
  return (
    <>
      <Bounds kind="latency" label="Latency" unit="s" />
      <div className={styles.bars}>
        {buckets.map((bucket) => {
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

/** A range of costs in US dollars, and the results outside of any: without a price, or replayed. */
export function CostRange() {
  return (
    <>
      <Bounds kind="cost" label="Cost" unit="$" />
      <Pill kind="cost" value="unknown" />
      <Pill kind="cost" value="replayed" />
    </>
  );
}

/** The bounds of the included range; the second one does not belong to it. */
function Bounds({ kind, label, unit }: { kind: 'latency' | 'cost'; label: string; unit: string }) {
  const [view, setView] = useView();
  const isRange = (value: string) => value.includes('..');
  const { include, exclude } = view.filters[kind];
  const [from = '', to = ''] = (include.find(isRange) ?? '').split('..');
  const set = (low: string, high: string) => {
    const range = low === '' && high === '' ? [] : [`${low}..${high}`];
    const others = include.filter((value) => !isRange(value));
    setView((now) => withChoice(now, kind, { include: [...range, ...others], exclude }));
  };
  return (
    <>
      <Bound label={`${label} from`} unit={unit} value={from} onSet={(low) => set(low, to)} />
      <span className="faint">to</span>
      <Bound label={`${label} below`} unit={unit} value={to} onSet={(high) => set(from, high)} />
    </>
  );
}

function Bound({
  label,
  unit,
  value,
  onSet,
}: {
  label: string;
  unit: string;
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
      end={<span className="faint">{unit}</span>}
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
