import { isJson, isJsonObject, isNumber, isObject, isStrings } from '../model/json.js';
import type { Score } from '../model/scores/score.js';
import { type Fitting, isFlag, isText, listOf, object, optional } from '../model/shapes.js';
import {
  absent,
  checked,
  type ForeignFormat,
  type ForeignResult,
  type ForeignRun,
  otherFields,
  targetUsage,
  timeOf,
  withUniqueKeys,
} from './foreign-run.js';

const tool = 'Braintrust';

const isEvent = object({
  id: isText,
  span_id: isText,
  root_span_id: isText,
  created: absent(isText),
  experiment_id: absent(isText),
  input: optional(isJson),
  output: optional(isJson),
  expected: optional(isJson),
  error: optional(isJson),
  scores: absent(isJsonObject),
  metadata: absent(isJsonObject),
  metrics: absent(isJsonObject),
  span_attributes: absent(isJsonObject),
  tags: absent(isStrings),
  /** Of several events with one id, the one with the greatest is the newest. */
  _xact_id: absent(isText),
  _object_delete: absent(isFlag),
});

interface Event extends Fitting<typeof isEvent> {}

const placed = [
  ...['id', 'span_id', 'root_span_id', 'created', 'experiment_id', 'input', 'output', 'expected'],
  ...['error', 'scores', 'metadata', 'metrics', 'tags', 'is_root', 'span_parents'],
  ...['_xact_id', '_object_delete', '_pagination_key', 'project_id', 'span_attributes'],
];

/** The events of an experiment of Braintrust: one in each line, a list, or the answer of its API. */
export const braintrust: ForeignFormat = {
  tool,
  recognises: (document) => {
    const [first] = eventsIn(document);
    return isObject(first) && 'span_id' in first && 'root_span_id' in first;
  },
  read(document) {
    const events = newestOf(checked(tool, eventsIn(document), listOf(isEvent)));
    const roots = events.filter(({ span_id, root_span_id }) => span_id === root_span_id);
    const spans = new Map<string, Event[]>();
    for (const event of events) {
      const of = spans.get(event.root_span_id);
      if (of === undefined) spans.set(event.root_span_id, [event]);
      else of.push(event);
    }
    const names = new Map<string, string>();
    const experiments = new Map<string, ForeignResult[]>();
    for (const root of roots) {
      const experiment = root.experiment_id ?? tool;
      const results = experiments.get(experiment) ?? [];
      experiments.set(experiment, results);
      results.push(toResult(root, spans.get(root.span_id) ?? [], names));
    }
    const runs = [...experiments].map(
      ([name, results]): ForeignRun => ({ name, results, startedAt: startOf(results) }),
    );
    const others = new Set(roots.flatMap((root) => Object.keys(otherFields({ ...root }, placed))));
    if (roots.length < events.length) others.add('spans');
    const [name = tool] = experiments.keys();
    return { tool, name, runs, isGroup: false, unplaced: [...others] };
  },
};

/** Each event in its newest version, without those that were deleted: the API answers older ones, too. */
function newestOf(events: readonly Event[]): readonly Event[] {
  const newest = new Map<string, Event>();
  for (const event of events) {
    const other = newest.get(event.id);
    if (other === undefined || versionOf(event) >= versionOf(other)) newest.set(event.id, event);
  }
  return [...newest.values()].filter((event) => event._object_delete !== true);
}

function versionOf({ _xact_id: id }: Event): bigint {
  return /^\d+$/.test(id ?? '') ? BigInt(id ?? 0) : 0n;
}

function eventsIn(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document;
  if (isObject(document) && Array.isArray(document.events)) return document.events;
  return [document];
}

/** Braintrust compares results by their inputs; those with the same input are trials. */
function toResult(root: Event, spans: readonly Event[], names: Map<string, string>): ForeignResult {
  const { input = null, output = null, expected: reference = null, error, metrics } = root;
  const key = JSON.stringify(input);
  const name = names.get(key) ?? String(names.size);
  names.set(key, name);
  const started = metrics?.start;
  const { start: _, end, ...figures } = metrics ?? {};
  const isTimed = isNumber(started) && isNumber(end);
  const others = otherFields(figures, [...tokenMetrics, 'tokens', 'estimated_cost']);
  return {
    ...{ file: tool, evaluation: 'experiment', case: name, dataset: tool, labels: root.tags ?? [] },
    ...{ input, output, reference },
    scores: scoresOf(root.scores ?? {}),
    error: error === undefined || error === null ? null : errorText(error),
    latency: isTimed ? end - started : null,
    startedAt: isNumber(started) ? started * 1000 : timeOf(root.created),
    metadata: { ...root.metadata, ...(Object.keys(others).length > 0 && { metrics: others }) },
    usage: usageOf(root, spans),
  };
}

function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  return isObject(error) && isText(error.message) ? error.message : JSON.stringify(error);
}

/** Numbers on the scale 0 to 1, without a verdict; `null` is a score that was skipped. */
function scoresOf(scores: { readonly [key: string]: unknown }): readonly Score[] {
  return withUniqueKeys(
    Object.entries(scores).flatMap(([key, value]): Score[] =>
      isNumber(value) ? [{ key, value }] : [],
    ),
  );
}

const tokenMetrics = ['prompt_tokens', 'completion_tokens', 'prompt_cached_tokens'];

/** The tokens of the root, which its calls add up to; else of its calls, some of which may have reported none. */
function usageOf(root: Event, spans: readonly Event[]) {
  const counted = (event: Event) => tokenMetrics.some((name) => isNumber(event.metrics?.[name]));
  const isCall = (event: Event) => counted(event) || event.span_attributes?.type === 'llm';
  const calls = spans.filter((event) => event !== root && isCall(event));
  const sources = counted(root) ? [root] : calls;
  const without = sources.filter((event) => !counted(event)).length;
  const sum = (name: string) => {
    const values = sources.map(({ metrics }) => metrics?.[name]).filter(isNumber);
    return values.length === 0 ? undefined : values.reduce((a, b) => a + b, 0);
  };
  const unpriced = sources.filter(({ metrics }) => !isNumber(metrics?.estimated_cost)).length;
  return targetUsage({
    calls: Math.max(calls.length, sources.length),
    input: sum('prompt_tokens'),
    output: sum('completion_tokens'),
    cache_read: sum('prompt_cached_tokens'),
    ...(without > 0 && { without_tokens: without }),
    cost: unpriced < sources.length ? sum('estimated_cost') : null,
    ...(unpriced > 0 && unpriced < sources.length && { unpriced }),
  } as Parameters<typeof targetUsage>[0]);
}

function startOf(results: readonly ForeignResult[]): number | undefined {
  const times = results.flatMap(({ startedAt }) => startedAt ?? []);
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b));
}
