import type { TrendMeasure } from '../../../src/compare/trend/trend.js';
import {
  driftText,
  outsideText,
  trendBoundsText,
  trendValueText,
} from '../../../src/text/trend-text.js';
import type { TrendRun } from '../api/schema.js';
import { classNames } from '../components/class-names.js';
import { count } from '../components/figures/figures.js';
import { momentText } from '../components/figures/time.js';
import { paramText } from '../matrix/params.js';
import { visibleText } from '../result/values/visible-text.js';
import styles from './run-tip.module.css';
import { changeOf } from './trend-series.js';

interface TipProps {
  readonly run: TrendRun;
  readonly measures: readonly TrendMeasure[];
}

/** What there is to say of a run, beside its place in the chart or below it. The slider says the same to readers of the screen. */
export function RunTip({
  run,
  measures,
  place,
}: TipProps & {
  /** Pixels from an edge of the chart; absent below it. */
  readonly place?: { readonly left: number } | { readonly right: number };
}) {
  const { rate, change, notes, about } = linesOf(run, measures);
  return (
    <div
      className={classNames(styles.tip, place ? styles.beside : styles.below)}
      style={place}
      aria-hidden="true"
    >
      <p className="cut">
        <b>{visibleText(run.run_name)}</b> {momentText(new Date(run.started_at * 1000))}
      </p>
      {rate && (
        <p>
          <b>{rate.value}</b> {rate.rest}
        </p>
      )}
      {change && (
        <p className="cut">
          <span className={change.verdict}>{change.text}</span> {change.rest}
        </p>
      )}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <p className="cut">
        config <b className={styles.config}>{visibleText(run.config_name)}</b> {about}
      </p>
    </div>
  );
}

/** The same as one text. */
export function runWords(run: TrendRun, measures: readonly TrendMeasure[]): string {
  const { rate, change, notes, about } = linesOf(run, measures);
  return [
    `${run.run_name}, ${momentText(new Date(run.started_at * 1000))}`,
    ...(rate ? [`${rate.value} ${rate.rest}`.trim()] : []),
    ...(change ? [`${change.text} ${change.rest}`.trim()] : []),
    ...notes,
    `config ${run.config_name} ${about}`.trim(),
  ].join('; ');
}

function linesOf(run: TrendRun, measures: readonly TrendMeasure[]) {
  const [figure, measure] = [run.figures[0] ?? null, measures[0]];
  const { on_line, state, previous, no_previous, params = {}, commit } = run;
  const about = [
    ...Object.entries(params).map(([name, value]) => `${name} ${paramText(value)}`),
    ...(commit === undefined ? [] : [`commit ${commit.slice(0, 7)}`]),
  ];
  const notes = [
    ...(state === 'finished' ? [] : [state.replace('_', ' ')]),
    ...(on_line ? [] : ['not on the line']),
  ];
  const rest = { notes, about: visibleText(about.join(', ')) };
  if (figure === null || measure === undefined)
    return { ...rest, rate: undefined, change: undefined };
  const { type } = measure;
  const counts =
    figure.of === undefined ? [] : [`${count(figure.passed ?? 0)} of ${count(figure.of)}`];
  const bounds = figure.low === null ? [] : [trendBoundsText(figure, type)];
  const change = changeOf(figure, measure);
  return {
    ...rest,
    rate: { value: trendValueText(figure, type), rest: [...bounds, ...counts].join(', ') },
    change: change
      ? {
          text: change.text,
          verdict: change.verdict,
          rest: `since ${visibleText(previous?.run_name ?? '')}, ${change.verdict ? 'beyond chance' : 'may be chance'}`,
        }
      : { text: '', verdict: undefined, rest: no_previous ?? '' },
    notes: [
      ...(figure.outside ? [outsideText(figure.outside, figure.limits, type)] : []),
      ...(figure.drift ? [driftText(figure.drift)] : []),
      ...notes,
    ],
  };
}
