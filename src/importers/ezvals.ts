import { isJson, isJsonObject, isNumber, isObject, isStrings } from '../model/json.js';
import { resultStatuses } from '../model/result.js';
import type { Score } from '../model/scores/score.js';
import { type Fitting, isFlag, isText, listOf, object, oneOf, optional } from '../model/shapes.js';
import {
  absent,
  checked,
  type ForeignFormat,
  type ForeignResult,
  withUniqueKeys,
} from './foreign-run.js';

const tool = 'EZVals';

const isEzvalsScore = object({
  key: isText,
  value: absent(isNumber),
  passed: absent(isFlag),
  notes: absent(isText),
});

const isEntry = object({
  function: isText,
  dataset: absent(isText),
  labels: absent(isStrings),
  result: object({
    input: optional(isJson),
    output: optional(isJson),
    reference: optional(isJson),
    scores: absent(listOf(isEzvalsScore)),
    error: absent(isText),
    latency: absent(isNumber),
    metadata: absent(isJsonObject),
    trace_data: absent(isJsonObject),
    annotation: absent(isText),
    status: absent(oneOf(...resultStatuses)),
  }),
});

const isDocument = object({
  run_id: absent(isText),
  run_name: absent(isText),
  session_name: absent(isText),
  created_at: absent(isNumber),
  path: absent(isText),
  results: listOf(isEntry),
});

/** The run JSON of EZVals, which has the fields of ours but no ids of results. */
export const ezvals: ForeignFormat = {
  tool,
  recognises: (document) =>
    isObject(document) &&
    Array.isArray(document.results) &&
    document.config_name === undefined &&
    document.results.every((entry) => isObject(entry) && entry.id === undefined) &&
    'total_evaluations' in document,
  read(document) {
    const run = checked(tool, document, isDocument);
    const file = run.path || tool;
    const annotated = run.results.filter(({ result }) => 'annotations' in result);
    const hasOthers = annotated.some(
      ({ result }) => (result as { readonly annotations?: unknown }).annotations !== null,
    );
    return {
      tool,
      name: run.run_name ?? run.run_id ?? tool,
      isGroup: false,
      runs: [
        {
          name: run.run_name ?? run.run_id ?? tool,
          session: run.session_name ?? undefined,
          startedAt: typeof run.created_at === 'number' ? run.created_at * 1000 : undefined,
          results: run.results.map((entry) => toResult(entry, file)),
        },
      ],
      unplaced: hasOthers ? ['annotations'] : [],
    };
  },
};

function toResult(entry: Fitting<typeof isEntry>, file: string): ForeignResult {
  const { result, dataset, labels } = entry;
  const { error, status } = result;
  // `refund[case-1]` names its case itself.
  const [, evaluation = entry.function, name] = /^([^[]+)\[(.*)\]$/s.exec(entry.function) ?? [];
  return {
    ...{ file, evaluation, case: name, dataset: dataset ?? tool, labels: labels ?? [] },
    input: result.input ?? null,
    output: result.output ?? null,
    reference: result.reference ?? null,
    scores: withUniqueKeys((result.scores ?? []).flatMap(toScore)),
    error: error ?? null,
    latency: result.latency ?? null,
    status: error ? 'error' : (status ?? undefined),
    metadata: result.metadata ?? {},
    trace_data: result.trace_data ?? undefined,
    annotation: result.annotation ?? undefined,
  };
}

function toScore({ key, value, passed, notes }: Fitting<typeof isEzvalsScore>): Score[] {
  if (typeof value !== 'number' && typeof passed !== 'boolean') return [];
  return [
    {
      key,
      ...(typeof passed === 'boolean' && { passed }),
      ...(typeof value === 'number' && { value }),
      ...(notes && { notes }),
    },
  ];
}
