import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { hasCalls } from '../../../../src/model/calls/run-usage.js';
import { scoreName } from '../../../../src/text/score-name.js';
import { amountNames } from '../../../../src/text/usage-text.js';
import { useRowFields, useRowValues } from '../../api/row-queries.js';
import type { RowFacets } from '../../api/schema.js';
import { useNarrow } from '../../browser/use-media.js';
import { classNames } from '../../components/class-names.js';
import { Button } from '../../components/controls/button.js';
import { Field } from '../../components/controls/field.js';
import { Switch } from '../../components/controls/switch.js';
import { Icon } from '../../components/icons/icon.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { tellingEnds } from '../../components/names/telling-end.js';
import { useFigures, useShown } from '../dashboard-state.js';
import { joinBuckets, sumBuckets } from '../summary/latency-axis.js';
import { useFilter, useView } from '../use-view.js';
import {
  type FilterKind,
  isChosen,
  isFiltered,
  place,
  sortBy,
  sortOf,
  withChoice,
  withoutFilters,
} from '../view-state.js';
import styles from './filter-panel.module.css';
import {
  bucketRange,
  bucketText,
  facetValues,
  filterName,
  filterText,
  parseScoreRule,
} from './filter-values.js';
import { Pill, pillEnds } from './pill.js';

/** All filters of the dashboard. */
export function FilterPanel() {
  const [view, setView] = useView();
  const isNarrow = useNarrow();
  const { facets, latency, usage } = useFigures().summary;
  const hasTrials = facets.flaky.some(({ value, count }) => value && count > 0) || !view.fold;
  const hasCost = hasCalls(usage) || isChosen(view.filters.cost);
  const hasLatency = latency.count > 0 || isChosen(view.filters.latency);
  const pills = (kind: FilterKind) =>
    facetValues(kind, facets, view.filters[kind]).map(({ value, count }) => (
      <Pill key={value} kind={kind} value={value} count={count} />
    ));
  return (
    <>
      {isNarrow && <SortChoice facets={facets} />}
      <ValueList kind="dataset" facets={facets} />
      <ValueList kind="label" facets={facets} />
      <Section name={filterName('status')}>{pills('status')}</Section>
      <MetadataValues />
      {hasCalls(usage) && <FieldValues name="tool" field="tool" />}
      {hasCalls(usage) && <FieldValues name="model" field="model" />}
      {facets.score.length > 0 && (
        <Section name={filterName('score')}>
          <ScoreRules facets={facets} />
        </Section>
      )}
      <Section name={filterName('has')}>{pills('has')}</Section>
      {hasTrials && (
        <Section name={filterName('flaky')}>
          {pills('flaky')}
          <Switch isOn={view.fold} onChange={(fold) => setView((now) => ({ ...now, fold }))}>
            one row for all trials
          </Switch>
        </Section>
      )}
      {hasLatency && (
        <Section name={filterName('latency')}>
          <LatencyRange />
        </Section>
      )}
      {hasCost && (
        <Section name={filterName('cost')}>
          <CostRange />
        </Section>
      )}
      <p className={styles.end}>
        <span className="faint">Click to include, click again to exclude.</span>
        <Button
          look="ghost"
          small
          disabled={!isFiltered(view)}
          onClick={() => setView(withoutFilters)}
        >
          Clear
        </Button>
      </p>
    </>
  );
}

function Section({ name, children }: { name: string; children: ReactNode }) {
  return (
    <fieldset className={styles.section}>
      <legend>{name}</legend>
      <div className={styles.values}>{children}</div>
    </fieldset>
  );
}

/** Minimum number of values for a search field. */
const searchedFrom = 13;

/** All datasets or labels, with a search field if there are many. */
export function ValueList({ kind, facets }: { kind: 'dataset' | 'label'; facets: RowFacets }) {
  const [text, setText] = useState('');
  const [view] = useView();
  const values = facetValues(kind, facets, view.filters[kind]);
  const ends = pillEnds(values);
  const isCut = facets.cut.includes(kind);
  const found = values.filter(({ value }) => hasText(value, text));
  if (values.length === 0) return null;
  return (
    <Section name={filterName(kind)}>
      <ListSearch
        what={`${filterName(kind)}s`}
        count={values.length}
        text={text}
        onText={setText}
      />
      <div className={styles.list}>
        {found.map(({ value, count }) => (
          <Pill key={value} kind={kind} value={value} end={ends(kind, value)} count={count} />
        ))}
        {found.length === 0 && <span className="small faint">no match</span>}
      </div>
      {isCut && (
        <span className="small faint">only the {values.length} most common are listed</span>
      )}
    </Section>
  );
}

/** A field that searches a list, if that is long. */
function ListSearch({
  what,
  count,
  text,
  onText,
}: {
  /** What the list has, in the plural. */
  what: string;
  count: number;
  text: string;
  onText: (text: string) => void;
}) {
  if (count < searchedFrom) return null;
  return (
    <Field
      small
      className={styles.search}
      icon="search"
      label={`Search ${what}`}
      placeholder={`Search ${count} ${what}`}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
    />
  );
}

function hasText(value: string, text: string): boolean {
  return value.toLowerCase().includes(text.trim().toLowerCase());
}

/** The values of a field of the results: pills of conditions. Nothing where no result has one. */
function FieldValues({
  name,
  field,
  children,
}: {
  name: string;
  field: string;
  children?: ReactNode;
}) {
  const { run, query } = useShown();
  const [view] = useView();
  const [text, setText] = useState('');
  const { data } = useRowValues(run.run_id, field, query);
  const { values = [], different = 0 } = data ?? {};
  if (values.length === 0 && children === undefined) return null;
  const found = values.filter(({ value }) => hasText(value, text));
  const chosen = [...view.filters.where.include, ...view.filters.where.exclude];
  const others = chosen.filter(
    (one) =>
      /^[=~<>!]/.test(one.slice(field.length)) &&
      one.startsWith(field) &&
      !values.some(({ value }) => one === `${field}=${value}`),
  );
  return (
    <Section name={name}>
      {children}
      <ListSearch what="values" count={values.length} text={text} onText={setText} />
      <div className={styles.list}>
        {found.map(({ value, results }) => (
          <Pill key={value} kind="where" value={`${field}=${value}`} text={value} count={results} />
        ))}
        {others.map((one) => (
          <Pill key={one} kind="where" value={one} />
        ))}
      </div>
      {different > values.length && (
        <span className="small faint">only the {values.length} most common are listed</span>
      )}
    </Section>
  );
}

/** The values of one key of the metadata at a time. */
function MetadataValues() {
  const { data: known = [] } = useRowFields(useShown().run.run_id);
  const fields = known.map(({ field }) => field).filter((field) => field.startsWith('metadata'));
  const [{ filters }] = useView();
  const chosen = fields.find((field) =>
    [...filters.where.include, ...filters.where.exclude].some((one) => one.startsWith(field)),
  );
  const [picked, setPicked] = useState<string>();
  const field = picked ?? chosen ?? fields[0];
  if (field === undefined) return null;
  return (
    <FieldValues key={field} name="metadata" field={field}>
      <select
        className={styles.select}
        aria-label="Key of the metadata"
        value={field}
        onChange={(event) => setPicked(event.currentTarget.value)}
      >
        {fields.map((one) => (
          <option key={one} value={one}>
            {one.replace(/^metadata\.?/, '')}
          </option>
        ))}
      </select>
    </FieldValues>
  );
}

const columns = [
  ['index', 'as run'],
  ['function', 'name'],
  ['dataset', 'dataset'],
  ['status', 'status'],
  ['latency', 'latency'],
  ['calls', 'calls'],
  ['tokens', amountNames.tokens],
  ['cost', 'cost'],
] as const;

/** The sort order, for layouts without a table head. A second click reverses it. */
function SortChoice({ facets }: { facets: RowFacets }) {
  const [view, setView] = useView();
  const [text, setText] = useState('');
  const scores = facets.score.map(({ key }) => [`score:${key}`, scoreName(key)] as const);
  const isLong = scores.length >= searchedFrom;
  // Many scores are shown once they are searched for.
  const shown = scores.filter(([sort, name]) =>
    isLong && text.trim() === '' ? view.sort === sort : hasText(name, text),
  );
  return (
    <Section name="sort">
      <div className={styles.list}>
        {[...columns, ...shown].map(([sort, name]) => {
          const sorted = sortOf(view, [sort]);
          return (
            <button
              key={sort}
              type="button"
              aria-pressed={sorted !== undefined}
              className={styles.sort}
              onClick={() => setView((now) => sortBy(now, sort))}
            >
              {name}
              {sorted && sort !== 'index' && (
                <Icon name="up" className={classNames(sorted === 'descending' && 'flipped')} />
              )}
              <span className="sr">{sort !== 'index' && sorted}</span>
            </button>
          );
        })}
      </div>
      <ListSearch what="scores to sort by" count={scores.length} text={text} onText={setText} />
    </Section>
  );
}

/** For each score: passed, failed, and bounds of its value. */
function ScoreRules({ facets }: { facets: RowFacets }) {
  const [view] = useView();
  const values = facetValues('score', facets, view.filters.score);
  const ends = useMemo(() => tellingEnds(facets.score.map(({ key }) => key)), [facets.score]);
  const [text, setText] = useState('');
  const found = facets.score.filter(({ key }) => hasText(key, text));
  return (
    <>
      <ListSearch what="scores" count={facets.score.length} text={text} onText={setText} />
      <div className={styles.rules}>
        {found.map(({ key, valued }) => (
          <div key={key} className={styles.rule}>
            <span className="mono" title={key}>
              <MiddleCut text={key} end={ends.get(key)} />
            </span>
            <span>
              {values
                .filter(({ value }) => parseScoreRule(value).key === key)
                .map(({ value, count }) => (
                  <Pill
                    key={value}
                    kind="score"
                    value={value}
                    count={count}
                    text={filterText('score', value).slice(key.length + 1)}
                  />
                ))}
              {valued > 0 && <ScoreBound scoreKey={key} />}
            </span>
          </div>
        ))}
      </div>
      {found.length === 0 && <span className="small faint">no match</span>}
    </>
  );
}

/** A bound of the value of a score: at least, or at most. */
function ScoreBound({ scoreKey }: { scoreKey: string }) {
  const [, setView] = useView();
  const [sign, setSign] = useState<'>=' | '<='>('<=');
  const [text, setText] = useState('');
  const number = Number(text.replace(',', '.'));
  const isBad = text !== '' && !Number.isFinite(number);
  const set = () => {
    if (text.trim() === '' || isBad) return;
    const value = `${scoreKey}:${sign}${number}`;
    setView((now) => withChoice(now, 'score', place(now.filters.score, value, 'in')));
    setText('');
  };
  const words = sign === '>=' ? 'at least' : 'at most';
  return (
    <>
      <Button
        small
        look="ghost"
        aria-label={`${scoreKey} ${words}; change`}
        onClick={() => setSign(sign === '>=' ? '<=' : '>=')}
      >
        {sign === '>=' ? '≥' : '≤'}
      </Button>
      <Field
        small
        className={styles.field}
        label={`${scoreKey} ${words}`}
        inputMode="decimal"
        placeholder="value"
        bad={isBad}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={set}
        onKeyDown={(event) => {
          if (event.key === 'Enter') set();
        }}
      />
    </>
  );
}

/** Bars that are wide enough to be hit on the narrowest screen. */
const mostBars = 8;

/** A range of latencies: two bounds in seconds, or a bar of a coarse histogram. */
function LatencyRange() {
  const { isIn, toggle } = useFilter('latency');
  const { histogram } = useFigures().summary.latency;
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
function CostRange() {
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
      small
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
