import {
  isCount,
  isJson,
  isJsonObject,
  isNumber,
  isObject,
  isStrings,
  type Json,
} from '../model/json.js';
import type { Score } from '../model/scores/score.js';
import {
  type Fitting,
  isFlag,
  isText,
  listOf,
  named,
  object,
  optional,
  recordOf,
} from '../model/shapes.js';
import { countOf } from '../text/count-text.js';
import {
  absent,
  checked,
  type ForeignFormat,
  type ForeignResult,
  type ForeignResults,
  otherFields,
  targetUsage,
  timeOf,
  withoutPlainValues,
  withUniqueKeys,
} from './foreign-run.js';
import type { ZipArchive } from './zip.js';

const tool = 'Inspect';

const isId = named('a text or a whole number', (value): value is string | number => {
  return isText(value) || isCount(value);
});

const isInspectScore = object({
  value: optional(isJson),
  answer: absent(isText),
  explanation: absent(isText),
});

const isModelUsage = object({
  input_tokens: absent(isNumber),
  output_tokens: absent(isNumber),
  input_tokens_cache_read: absent(isNumber),
  input_tokens_cache_write: absent(isNumber),
  reasoning_tokens: absent(isNumber),
  total_cost: absent(isNumber),
});

const isSample = object({
  id: isId,
  epoch: absent(isCount),
  input: isJson,
  target: optional(isJson),
  choices: absent(isStrings),
  output: absent(isJsonObject),
  messages: absent(listOf(isJson)),
  scores: absent(recordOf(isInspectScore)),
  /** Of logs of before there was `scores`. */
  score: absent(isInspectScore),
  metadata: absent(isJsonObject),
  model_usage: absent(recordOf(isModelUsage)),
  events: absent(listOf(isJson)),
  attachments: absent(recordOf(isText)),
  transcript: absent(isJsonObject),
  total_time: absent(isNumber),
  working_time: absent(isNumber),
  started_at: absent(isText),
  error: absent(object({ message: isText })),
});

interface Sample extends Fitting<typeof isSample> {}

const isHeader = object({
  version: isCount,
  status: absent(isText),
  eval: object({
    created: isText,
    task: isText,
    task_file: absent(isText),
    task_args: absent(isJsonObject),
    solver: absent(isText),
    model: isText,
    run_id: absent(isText),
    tags: absent(isStrings),
    dataset: absent(object({ name: absent(isText), sample_ids: absent(listOf(isId)) })),
    config: absent(object({ epochs: absent(isCount) })),
    packages: absent(isJsonObject),
  }),
  results: absent(object({ total_samples: absent(isCount) })),
  error: absent(object({ message: isText })),
  invalidated: absent(isFlag),
});

interface Header extends Fitting<typeof isHeader> {}

/** A log of Inspect as JSON: https://inspect.aisi.org.uk/eval-logs.html. Epochs are trials. */
export const inspect: ForeignFormat = {
  tool,
  recognises: (document) =>
    isObject(document) &&
    isCount(document.version) &&
    isObject(document.eval) &&
    isText(document.eval.task) &&
    isText(document.eval.model),
  read(document) {
    const header = checked(tool, document, isHeader);
    const { samples } = document as { readonly samples?: unknown };
    const list = checked(tool, samples ?? [], listOf(isSample), '/samples');
    return toForeign(
      header,
      list.map((sample) => toResult(sample, header)),
      list.flatMap(leftOut),
    );
  },
};

/** A log of Inspect as a zip archive, which has each sample in a file of its own. Error: `bad-request`. */
export async function readInspectArchive(
  archive: ZipArchive,
  parse: (text: string, name: string) => unknown,
): Promise<ForeignResults> {
  const read = async (name: string) => parse(await archive.text(name), name);
  const isWhole = archive.names.includes('header.json');
  const start = await read(isWhole ? 'header.json' : '_journal/start.json');
  const header = checked(tool, isWhole ? start : { status: 'started', ...Object(start) }, isHeader);
  const results: ForeignResult[] = [];
  const unplaced = new Set<string>();
  for (const name of archive.names) {
    if (!/^samples\/[^/]+\.json$/.test(name)) continue;
    const sample = checked(tool, await read(name), isSample, `/${name}`);
    results.push(toResult(sample, header));
    for (const field of leftOut(sample)) unplaced.add(field);
  }
  // Chunked samples, a folder for each, are of versions after 0.3.
  if (archive.names.some((name) => /^samples\/[^/]+\/sample\.json$/.test(name))) {
    unplaced.add('chunked samples');
  }
  return toForeign(header, results, [...unplaced]);
}

function toForeign(
  header: Header,
  results: readonly ForeignResult[],
  unplaced: readonly string[],
): ForeignResults {
  const { eval: spec } = header;
  const { inspect_ai: version } = spec.packages ?? {};
  const ordered = [...results].sort((a, b) =>
    (a.case ?? '').localeCompare(b.case ?? '', 'en', { numeric: true }),
  );
  const params = {
    model: spec.model,
    ...spec.task_args,
    ...(spec.solver && { solver: spec.solver }),
  };
  const name = `${spec.task} ${spec.model}`;
  const missing = missingOf(header, results);
  const all = [...ordered, ...missing];
  const runs = [{ name, params, startedAt: timeOf(spec.created), results: all }];
  return {
    tool: isText(version) ? `${tool} ${version}` : tool,
    ...{ name, runs: withoutPlainValues(runs), isGroup: false },
    unplaced: [...new Set(unplaced)],
    note: noteOf(header, missing.length),
  };
}

/** Samples that the log is to have and does not: one where it is not known how many. */
function missingOf(header: Header, results: readonly ForeignResult[]): readonly ForeignResult[] {
  const { eval: spec, status, results: counts } = header;
  const found = new Map<string, number>();
  for (const { case: name = '' } of results) found.set(name, (found.get(name) ?? 0) + 1);
  const epochs = spec.config?.epochs ?? 1;
  const names = (spec.dataset?.sample_ids ?? []).flatMap((id) => {
    const left = epochs - (found.get(String(id)) ?? 0);
    return Array<string>(Math.max(0, left)).fill(String(id));
  });
  const isOver = (status ?? 'success') === 'success';
  const planned = counts?.total_samples ?? (isOver || names.length > 0 ? 0 : results.length + 1);
  const unnamed = Math.max(0, planned - results.length - names.length);
  const others = Array.from({ length: unnamed }, (_, at) => `not in the log ${at + 1}`);
  return [...names, ...others].map((name) => ({
    ...{ file: spec.task_file || tool, evaluation: spec.task, case: name },
    ...{ dataset: spec.dataset?.name ?? spec.task, labels: spec.tags ?? [] },
    ...{ input: null, output: null, reference: null, scores: [], error: null, latency: null },
    ...{ status: 'cancelled', metadata: {} },
  }));
}

function noteOf({ status, error, invalidated }: Header, missing: number): string | undefined {
  const isOver = (status ?? 'success') === 'success';
  const why = error ? `: ${error.message}` : '';
  const notes = [
    ...(isOver ? [] : [`The log says that the evaluation has the status ${status}${why}.`]),
    ...(missing > 0
      ? [`It lacks ${countOf(missing, 'result')} or more: they are not finished.`]
      : []),
    ...(invalidated === true ? ['Somebody has marked the log as invalid.'] : []),
  ];
  return notes.length === 0 ? undefined : notes.join(' ');
}

function toResult(sample: Sample, { eval: spec }: Header): ForeignResult {
  const { error, metadata, choices, started_at, total_time, working_time } = sample;
  const resolve = resolver(sample);
  const { scores: graded, others } = readScores(scoresIn(sample));
  const { messages = [] } = sample;
  return {
    ...{ file: spec.task_file || tool, evaluation: spec.task, case: String(sample.id) },
    ...{ dataset: spec.dataset?.name ?? spec.task, labels: spec.tags ?? [] },
    input: resolve(sample.input),
    output: outputOf(sample.output ?? {}),
    reference: sample.target ?? null,
    scores: error ? [] : graded,
    error: error?.message ?? null,
    latency: working_time ?? total_time ?? null,
    startedAt: timeOf(started_at),
    metadata: {
      ...metadata,
      ...(choices && choices.length > 0 && { choices }),
      ...(Object.keys(others).length > 0 && { scores: others }),
    },
    ...(messages &&
      messages.length > 0 && { trace_data: { messages: resolve(messages as Json) as Json } }),
    usage: usageOf(sample),
  };
}

function scoresIn({ scores, score }: Sample) {
  return scores ?? (score ? { score } : {});
}

/** Puts the texts that a sample keeps apart back into a value. */
function resolver({ attachments, transcript }: Sample): (value: Json) => Json {
  const { content } = transcript ?? {};
  const texts: { readonly [id: string]: unknown } =
    attachments ?? (isObject(content) ? content : {});
  if (Object.keys(texts).length === 0) return (value) => value;
  const put = (value: unknown): Json => {
    if (typeof value === 'string') {
      const id = /^(?:attachment|tc):\/\/(.+)$/.exec(value)?.[1];
      const text = id !== undefined && Object.hasOwn(texts, id) ? texts[id] : undefined;
      return isText(text) ? text : value;
    }
    if (Array.isArray(value)) return value.map(put);
    if (!isObject(value)) return value as Json;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, put(field)]));
  };
  return put;
}

/** The text of the first choice; its parts where it is not only text. */
function outputOf({ completion, choices }: { readonly [name: string]: unknown }): Json {
  const [first] = Array.isArray(choices) ? choices : [];
  const message: unknown = isObject(first) ? first.message : undefined;
  const content = isObject(message) ? message.content : completion;
  return (content ?? completion ?? null) as Json;
}

// https://inspect.aisi.org.uk/scorers.html: correct, incorrect, partly correct, no answer.
const letters: { readonly [letter: string]: readonly [passed: boolean, value: number] } = {
  C: [true, 1],
  I: [false, 0],
  P: [false, 0.5],
  N: [false, 0],
};

function readScores(scores: { readonly [key: string]: Fitting<typeof isInspectScore> }) {
  const found: Score[] = [];
  const others: { [key: string]: Json } = {};
  for (const [key, { value, answer, explanation }] of Object.entries(scores)) {
    const notes = explanation ?? (answer ? `Answer: ${answer}` : undefined);
    const parts: readonly (readonly [string, unknown])[] = isObject(value)
      ? Object.entries(value).map(([part, of]) => [`${key} ${part}`, of] as const)
      : [[key, value]];
    for (const [name, part] of parts) {
      const score = toScore(name, part);
      if (score) found.push({ ...score, ...(notes && { notes }) });
      else others[name] = (part ?? null) as Json;
    }
  }
  return { scores: withUniqueKeys(found), others };
}

function toScore(key: string, value: unknown): Score | undefined {
  if (typeof value === 'boolean') return { key, passed: value };
  if (isNumber(value)) return { key, value };
  const letter = typeof value === 'string' ? letters[value] : undefined;
  return letter && { key, passed: letter[0], value: letter[1] };
}

function usageOf({ model_usage, events, transcript, messages }: Sample) {
  const models = Object.values(model_usage ?? {});
  if (models.length === 0) return undefined;
  const hasTokens = models.every(
    ({ input_tokens: input, output_tokens: output }) => isNumber(input) || isNumber(output),
  );
  const all = events ?? transcript?.events;
  const asked = (Array.isArray(all) ? all : []).filter((e) => isObject(e) && e.event === 'model');
  const answers = (messages ?? []).filter((m) => isObject(m) && m.role === 'assistant');
  const sum = (name: keyof (typeof models)[number]) =>
    models.reduce((total, usage) => total + (usage[name] ?? 0), 0);
  const [read, write] = [sum('input_tokens_cache_read'), sum('input_tokens_cache_write')];
  const reasoning = sum('reasoning_tokens');
  // The log does not count calls where it has no events of them.
  const calls = asked.length || answers.length || 1;
  return targetUsage({
    calls,
    ...(hasTokens
      ? { input: sum('input_tokens') + read + write, output: sum('output_tokens') }
      : { without_tokens: calls }),
    ...(read > 0 && { cache_read: read }),
    ...(write > 0 && { cache_write: write }),
    ...(reasoning > 0 && { reasoning }),
    cost: models.every(({ total_cost }) => isNumber(total_cost)) ? sum('total_cost') : null,
  });
}

const placed = [
  ...['id', 'epoch', 'input', 'target', 'choices', 'output', 'messages', 'scores', 'score'],
  ...['metadata', 'model_usage', 'role_usage', 'attachments', 'total_time', 'working_time'],
  ...['started_at', 'completed_at', 'error', 'uuid', 'events_data'],
];

function leftOut(sample: Sample): readonly string[] {
  const { others } = readScores(scoresIn(sample));
  const lost = Object.keys(others).filter((key) => others[key] === null);
  return [...Object.keys(otherFields({ ...sample }, placed)), ...lost.map((key) => `score ${key}`)];
}
