import { renderDollars } from '../../../../src/text/usage-text.js';
import { counted, duration } from '../../components/figures/figures.js';
import type { Bucket } from '../summary/latency-buckets.js';
import type { FilterKind } from '../view-state.js';

/** The label before the values of a filter. */
export const groupNames: Readonly<Record<FilterKind, string>> = {
  dataset: 'dataset',
  label: 'label',
  status: 'status',
  score: 'score',
  has: 'has',
  flaky: 'trials',
  code: 'code',
  origin: 'run',
  changed: 'code',
  latency: 'latency',
  cost: 'cost',
};

/** The values of `has`, and their texts. */
export const hasTexts = {
  annotation: 'annotation',
  error: 'error',
  trace_url: 'trace link',
  messages: 'messages',
} as const;

/** A value of a filter in words: `exact failed`, `size ≥ 5`, `.5 to 2 s`. */
export function filterText(kind: FilterKind, value: string): string {
  switch (kind) {
    case 'status':
      return value.replace('_', ' ');
    case 'score':
      return scoreText(value);
    case 'has':
      return (hasTexts as Readonly<Record<string, string>>)[value] ?? value;
    case 'flaky':
      return value === 'true' ? 'flaky' : 'not flaky';
    case 'code':
      return value === 'older' ? 'older code' : 'newest code';
    case 'changed':
      return value === 'true' ? 'changed' : 'not changed';
    case 'latency':
      return latencyText(value);
    case 'cost':
      if (value === 'unknown') return 'not priced';
      return value === 'replayed' ? 'calls replayed' : costText(value);
    default:
      return value;
  }
}

/** Splits a rule at its last colon, because keys may contain colons. */
export function parseScoreRule(value: string): { readonly key: string; readonly rule: string } {
  const colon = value.lastIndexOf(':');
  return colon === -1
    ? { key: value, rule: '' }
    : { key: value.slice(0, colon), rule: value.slice(colon + 1) };
}

function scoreText(value: string): string {
  const { key, rule } = parseScoreRule(value);
  return `${key} ${rule.replace('>=', '≥ ').replace('<=', '≤ ')}`;
}

/** The value of the filter by a bar of the histogram; the first one contains all latencies below the resolution. */
export function bucketRange({ from, to }: Bucket): string {
  return `${from === 0 ? '' : from}..${to}`;
}

/** `.5 s to 1 s: 12 results`. */
export function bucketText({ from, to, count }: Bucket): string {
  return `${duration(from)} to ${duration(to)}: ${counted(count, 'result')}`;
}

function latencyText(value: string): string {
  return rangeText(value, duration);
}

function costText(value: string): string {
  return rangeText(value, renderDollars);
}

function rangeText(value: string, render: (value: number) => string): string {
  const [from = '', to = ''] = value.split('..');
  const text = (part: string) => (Number.isFinite(Number(part)) ? render(Number(part)) : part);
  if (from === '') return `under ${text(to)}`;
  return to === '' ? `from ${text(from)}` : `${text(from)} to ${text(to)}`;
}
