import type { TrendRun } from '../api/schema.js';
import { appendChoice, type ChosenValues, noChoice, parseChoice } from '../dashboard/view-state.js';

/** How many of the newest runs can be shown. */
export const sizes = ['12', '50', '200'] as const;
type Size = (typeof sizes)[number];
const firstSize: Size = '50';

/** The state of the page that is kept in the URL. */
export interface TrendsView {
  readonly size: Size;
  /** The config whose runs the line joins; that of the newest finished run if absent. */
  readonly line: string | undefined;
  /** The id of the run from which limits count on; the oldest of the line if absent. */
  readonly baseline: string | undefined;
  /** The rows of the table. */
  readonly configs: ChosenValues;
  readonly changes: ChosenValues;
}

export function parseTrendsView(search: string): TrendsView {
  const params = new URLSearchParams(search);
  return {
    size: sizes.find((size) => size === params.get('runs')) ?? firstSize,
    line: params.get('line') || undefined,
    baseline: params.get('baseline') || undefined,
    configs: parseChoice(params.getAll('config')),
    changes: parseChoice(params.getAll('change')),
  };
}

export function renderTrendsView({ size, line, baseline, configs, changes }: TrendsView): string {
  const params = new URLSearchParams();
  if (size !== firstSize) params.append('runs', size);
  if (line !== undefined) params.append('line', line);
  if (baseline !== undefined) params.append('baseline', baseline);
  appendChoice(params, 'config', configs);
  appendChoice(params, 'change', changes);
  return params.size === 0 ? '' : `?${params}`;
}

/** What the table can be filtered by, beside the config of a run. */
export const changeKinds = ['beyond chance', 'outside limits', 'slow drift', 'not on the line'];

/** Those that a run is of, in any of its figures. */
export function changesOf({ figures, on_line }: TrendRun): string[] {
  const has = (is: (figure: NonNullable<TrendRun['figures'][number]>) => boolean) =>
    figures.some((figure) => figure !== null && is(figure));
  const found = [
    has(({ step }) => step?.beyond_chance === true),
    has(({ outside }) => outside !== undefined),
    has(({ drift }) => drift !== undefined),
    !on_line,
  ];
  return changeKinds.filter((_, at) => found[at]);
}

/** True for a run that the filters of the table leave. */
export function isListed(run: TrendRun, { configs, changes }: TrendsView): boolean {
  return fits(configs, [run.config_name]) && fits(changes, changesOf(run));
}

function fits({ include, exclude }: ChosenValues, values: readonly string[]): boolean {
  const isIncluded = include.length === 0 || include.some((value) => values.includes(value));
  return isIncluded && !exclude.some((value) => values.includes(value));
}

/** The view without the filters of the table. */
export const withoutRunFilters = (view: TrendsView): TrendsView => ({
  ...view,
  configs: noChoice,
  changes: noChoice,
});
