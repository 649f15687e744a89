import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import {
  ExactMatch,
  Factuality,
  JSONDiff,
  Levenshtein,
  ListContains,
  NumericDiff,
  ValidJSON,
} from 'autoevals';
import { expectTypeOf } from 'expect-type';
import {
  all,
  any,
  between,
  closeTo,
  contains,
  deepEquals,
  equals,
  latency,
  not,
  oneOf,
  schema,
  similar,
  startsWith,
  tools,
  weighted,
  words,
} from '../../src/graders/index.js';
import {
  type Case,
  type Evaluation,
  type Evaluator,
  evaluation,
  fromCsv,
  fromJson,
  fromJsonl,
  fromYaml,
  type Score,
  type ScoreRule,
  type ScoreRules,
} from '../../src/index.js';
import { spanProcessor } from '../../src/otel.js';

// From an array of cases into target, evaluators and body.
const fromArray = evaluation(
  {
    cases: [
      { id: 'polite', input: 'I would like a refund', reference: 'refund' },
      { id: 2, input: 'REFUND', expected: 'refund', labels: ['tone'], trials: 3 },
    ],
    target: async (ctx) => {
      expectTypeOf(ctx.input).toEqualTypeOf<string>();
      expectTypeOf(ctx.reference).toEqualTypeOf<string>();
      expectTypeOf(ctx.expected).toEqualTypeOf<string>();
      expectTypeOf(ctx.output).toEqualTypeOf<unknown>();
      expectTypeOf(ctx.signal).toEqualTypeOf<AbortSignal>();
      return { text: ctx.input, tokens: 12 };
    },
    evaluators: [
      ({ input, output, reference, expected, metadata }) => {
        expectTypeOf(input).toEqualTypeOf<string>();
        expectTypeOf(output).toEqualTypeOf<{ text: string; tokens: number }>();
        expectTypeOf(reference).toEqualTypeOf<string>();
        expectTypeOf(expected).toEqualTypeOf<string>();
        expectTypeOf(metadata).toEqualTypeOf<Record<string, unknown>>();
        return output.text.includes(reference);
      },
      async () => 0.5,
      () => ({ key: 'tone', passed: true, notes: 'fine' }),
      () => [
        { key: 'a', value: 1 },
        { name: 'b', score: 0.5 },
      ],
      () => ({ score: null, name: 'later' }),
      () => null,
      () => undefined,
      (): Score => ({ key: 'tone', value: 1 }),
    ],
  },
  (ctx) => {
    expectTypeOf(ctx.output).toEqualTypeOf<{ text: string; tokens: number }>();
    expectTypeOf(ctx.input).toEqualTypeOf<string>();
    expectTypeOf(ctx.trial).toEqualTypeOf<number | undefined>();
    ctx.score(true);
    ctx.score(0.7);
    ctx.score('tone', 0.7, 'notes');
    ctx.score({ key: 'tone', passed: true, value: 0.7 });
    ctx.score({ passed: true, notes: 'under the default key' });
    ctx.output = { text: 'other', tokens: 1 };
    ctx.metadata.seen = true;
    ctx.latency = 0.5;
    ctx.traceData.messages = [];
    ctx.traceData.messages.push({ role: 'user' });
    // @ts-expect-error a score is no text
    ctx.score('tone', 'good');
    // @ts-expect-error notes need a key
    ctx.score(true, 'notes');
    // @ts-expect-error an output of another type
    ctx.output = 'text';
    // @ts-expect-error the input is fixed
    ctx.input = 'other';
  },
);
expectTypeOf(fromArray).toEqualTypeOf<Evaluation>();

// From functions, generators and a mix of fields.
evaluation(
  {
    cases: async () => [{ input: { question: 'why?' }, reference: ['a', 'b'] }],
    target: (ctx) => {
      expectTypeOf(ctx.input).toEqualTypeOf<{ question: string }>();
      expectTypeOf(ctx.reference).toEqualTypeOf<string[]>();
      return [ctx.input.question];
    },
    evaluators: [ListContains],
  },
  ({ output }) => expectTypeOf(output).toEqualTypeOf<string[]>(),
);
evaluation(
  {
    async *cases() {
      yield { input: 1, reference: 2 };
    },
    target: ({ input }) => input + 1,
    evaluators: [NumericDiff, ({ output }) => output > 0],
  },
  ({ output, reference }) => {
    expectTypeOf(output).toEqualTypeOf<number>();
    expectTypeOf(reference).toEqualTypeOf<number>();
  },
);
async function* stream() {
  yield { input: 'a', metadata: { source: 'log' } };
}
evaluation({ cases: stream(), target: (ctx) => expectTypeOf(ctx.input).toEqualTypeOf<string>() });
evaluation({
  cases: new Set([{ input: 'a' }]),
  target: (ctx) => expectTypeOf(ctx.input).toEqualTypeOf<string>(),
});

// Without cases.
evaluation({ input: 'a', reference: 3, target: (ctx) => ctx.input.length }, (ctx) => {
  expectTypeOf(ctx.output).toEqualTypeOf<number>();
  expectTypeOf(ctx.reference).toEqualTypeOf<number>();
});
evaluation({}, (ctx) => {
  expectTypeOf(ctx.input).toEqualTypeOf<undefined>();
  expectTypeOf(ctx.output).toBeAny();
});
evaluation({ input: 'a' }, async (ctx) => {
  ctx.output = ctx.input.toUpperCase();
});

// A target that sets ctx.output has no output type to give.
evaluation(
  {
    input: 'a',
    target: (ctx) => {
      ctx.output = 1;
    },
    evaluators: [({ output }) => output === 1],
  },
  (ctx) => expectTypeOf(ctx.output).toBeAny(),
);

// Functions declared elsewhere.
declare function agent(request: { readonly input: string }): Promise<string>;
const isShort: Evaluator<string, string> = ({ output }) => output.length < 10;
const anything: Evaluator = ({ output }) => output !== undefined;
evaluation({
  cases: [{ input: 'a', reference: 'b' }],
  target: agent,
  evaluators: [isShort, anything, ExactMatch, Levenshtein, JSONDiff, ValidJSON, Factuality],
});

// What a case says for itself.
evaluation({
  cases: [
    {
      input: 'a',
      target: (ctx) => expectTypeOf(ctx.input).toEqualTypeOf<string>(),
      evaluators: [({ input }) => input.length > 0],
    },
  ],
  target: (ctx) => ctx.input,
});

// How values of scores are judged: for all, for one evaluation, for one case.
evaluation.extend({ scores: { Levenshtein: { threshold: 0.8 } } })({
  cases: [{ input: 'a', scores: { Levenshtein: { threshold: 0.5 } } }],
  scores: { tokens: { better: 'lower', threshold: 500 }, cost: { better: undefined } },
  target: (ctx) => ctx.input,
  evaluators: [Levenshtein],
});
const rules: ScoreRules = { tokens: { better: 'lower' } satisfies ScoreRule };
evaluation({ scores: rules });
// @ts-expect-error a direction is higher or lower
evaluation({ scores: { tokens: { better: 'up' } } });
// @ts-expect-error a threshold is a number
evaluation({ scores: { tokens: { threshold: '5' } } });
evaluation({ scores: { judge: { scale: [0, 100] } }, cluster: 'document' });
// @ts-expect-error a scale has two ends
evaluation({ scores: { judge: { scale: [100] } } });
// @ts-expect-error the ends of a scale are numbers
evaluation({ scores: { judge: { scale: ['0', '100'] } } });
// @ts-expect-error a scale is no single number
evaluation({ scores: { judge: { scale: 100 } } });
// @ts-expect-error a cluster is one key of metadata
evaluation({ cluster: ['document'] });
// @ts-expect-error a cluster is said of an evaluation, not of a case
evaluation({ cases: [{ input: 1, cluster: 'document' }], target: () => 1 });
// @ts-expect-error a rule has no other fields
evaluation({ scores: { tokens: { minimum: 5 } } });
// @ts-expect-error functions that grade are evaluators
evaluation({ scores: [Levenshtein] });

// Loaders.
evaluation({
  cases: fromCsv(new URL('./cases.csv', import.meta.url), {
    map: (row, index) => ({ id: index, input: row.question ?? '', reference: 3 }),
  }),
  target: (ctx) => {
    expectTypeOf(ctx.input).toEqualTypeOf<string>();
    expectTypeOf(ctx.reference).toEqualTypeOf<number>();
  },
});
evaluation({
  cases: fromCsv('cases.csv'),
  target: (ctx) => expectTypeOf(ctx.reference).toEqualTypeOf<string>(),
});
evaluation({
  cases: fromCsv('cases.tsv', { delimiter: '\t' }),
  target: (ctx) => expectTypeOf(ctx.input).toEqualTypeOf<string>(),
});
evaluation({
  cases: fromJsonl<{ input: string; expected: number }>('cases.jsonl'),
  target: (ctx) => {
    expectTypeOf(ctx.input).toEqualTypeOf<string>();
    expectTypeOf(ctx.reference).toEqualTypeOf<number>();
  },
});
evaluation({
  cases: fromJson('cases.json', {
    map: (row: { q: string; n: number }) => ({ input: row.q, reference: row.n }),
  }),
  target: (ctx) => {
    expectTypeOf(ctx.input).toEqualTypeOf<string>();
    expectTypeOf(ctx.reference).toEqualTypeOf<number>();
  },
});
evaluation({
  cases: fromYaml('cases.yaml', { map: (row) => ({ input: row.q as string }) }),
  target: (ctx) => {
    expectTypeOf(ctx.input).toEqualTypeOf<string>();
    expectTypeOf(ctx.reference).toEqualTypeOf<undefined>();
  },
});
evaluation({ cases: fromYaml('cases.yaml'), target: (ctx) => expectTypeOf(ctx.input).toBeAny() });
evaluation({
  cases: fromJsonl<{ q: string }>('cases.jsonl', { map: (row) => ({ input: row.q }) }),
  target: (ctx) => expectTypeOf(ctx.input).toBeAny(),
});
// @ts-expect-error a slip in what map returns
fromJsonl('cases.jsonl', { map: (row) => ({ inptu: row.q }) });

// Shared options.
const shared = evaluation
  .extend({ labels: ['smoke'], evaluators: [ExactMatch], timeout: 10 })
  .extend({ input: 'a', metadata: { team: 'support' } });
shared({ target: (ctx) => expectTypeOf(ctx.input).toEqualTypeOf<string>() });
shared({
  cases: [{ input: 3 }],
  target: (ctx) => expectTypeOf(ctx.input).toEqualTypeOf<number>(),
});
// @ts-expect-error cases are not shared
evaluation.extend({ cases: [] });
// @ts-expect-error nor is the target
evaluation.extend({ target: () => 1 });

// Mistakes.
// @ts-expect-error an unknown option
evaluation({ scorers: [] });
// @ts-expect-error an unknown field of a case
evaluation({ cases: [{ input: 'a', refrence: 'b' }] });
// @ts-expect-error bare inputs
evaluation({ cases: ['a', 'b'] });
// @ts-expect-error text is not a grade
evaluation({ evaluators: [() => 'good'] });
// @ts-expect-error nor is a result of another tool
evaluation({ evaluators: [() => ({ pass: true })] });
evaluation({
  input: 'a',
  target: () => 'c',
  // @ts-expect-error the scorer wants numbers
  evaluators: [NumericDiff],
});
// @ts-expect-error a name first, as other tools have it
evaluation('refund', {});

// Params have the types of their defaults, in target, body and evaluators.
const small = evaluation.extend({ params: { model: 'small', retries: 2 } });
export const withParams = [
  evaluation(
    {
      params: {
        model: 'large',
        temperature: 0.2,
        isStrict: true,
        tools: ['search'],
        size: 'a' as 'a' | 'b',
      },
      cases: [{ input: 'a' }],
      target: ({ params }) => {
        expectTypeOf(params.model).toEqualTypeOf<string>();
        expectTypeOf(params.temperature).toEqualTypeOf<number>();
        expectTypeOf(params.isStrict).toEqualTypeOf<boolean>();
        expectTypeOf(params.tools).toEqualTypeOf<readonly string[]>();
        expectTypeOf(params.size).toEqualTypeOf<'a' | 'b'>();
        // @ts-expect-error a slip
        return params.modle;
      },
      evaluators: [
        ({ params }) => params.temperature < 1,
        // @ts-expect-error a slip
        ({ params }) => params.temprature < 1,
      ],
    },
    ({ params }) => {
      expectTypeOf(params.model).toEqualTypeOf<string>();
      // @ts-expect-error params are not for changing
      params.model = 'other';
    },
  ),
  small({
    params: { retries: 'none', prompt: 'v14' },
    target: ({ params }) => {
      expectTypeOf(params.model).toEqualTypeOf<string>();
      expectTypeOf(params.retries).toEqualTypeOf<string>();
      return params.prompt;
    },
  }),
  small({ target: ({ params }) => params.retries + 1 }),
  // @ts-expect-error a slip
  small({ target: ({ params }) => params.retires }),
  evaluation({ target: ({ params }) => expectTypeOf(params.anything).toBeAny() }),
  // @ts-expect-error a function is no JSON
  evaluation({ params: { model: () => 'large' } }),
];

// What does not infer; docs/authoring.md says so.
evaluation({
  evaluators: [({ output }) => expectTypeOf(output).toBeAny()],
  cases: [{ input: 'a' }],
  target: (ctx) => ctx.input.length,
});
evaluation({
  // @ts-expect-error inputs of different types
  cases: [{ input: 'a' }, { input: 1 }],
});
const mixed: Case<string | number>[] = [{ input: 'a' }, { input: 1 }];
evaluation({
  cases: mixed,
  target: (ctx) => expectTypeOf(ctx.input).toEqualTypeOf<string | number>(),
});
evaluation({
  cases: () => [{ input: 'a', refrence: 'a slip that no one sees before assay does' }],
});

// What a stream becomes is not known: a text, or a list of its chunks.
const isUnknown = ({ output }: { output: unknown }) => {
  expectTypeOf(output).toEqualTypeOf<unknown>();
  return null;
};
export const streamed = [
  evaluation({ target: () => new Response('text'), evaluators: [({ output }) => isLong(output)] }),
  evaluation({
    target: async () => new ReadableStream<Uint8Array>(),
    evaluators: [isUnknown, ({ output }) => isLong(output)],
  }),
  evaluation(
    {
      target: async function* () {
        yield 'text';
      },
    },
    ({ output }) => {
      expectTypeOf(output).toBeAny();
      output.toUpperCase();
    },
  ),
];

function isLong(text: string): boolean {
  return text.length > 100;
}

// The packages of OpenTelemetry are no dependency: what is read of a span has to fit their types.
new NodeTracerProvider({ spanProcessors: [spanProcessor] });

// Graders are typed by what they grade.
evaluation({
  cases: [{ input: 'a', reference: 'b' }],
  target: (ctx) => ctx.input,
  evaluators: [
    equals(),
    equals('b'),
    oneOf(['a', 'b']),
    contains('a', 'b', { ignoreCase: true }),
    similar(),
    words({ max: 5 }),
    latency({ max: 5, key: 'quick' }),
    tools(['find', { name: 'refund', args: { id: 7 } }], { order: 'any' }),
    not(contains('x')),
    all(contains('a'), equals(), ({ output }) => output.length > 0, { key: 'ok' }),
    weighted({ right: [equals(), 3], short: [words({ max: 5 }), 1] }, { min: 0.8 }),
    schema({ type: 'string' }),
  ],
});
evaluation({
  target: () => ({ total: 5, at: new Date() }),
  evaluators: [
    closeTo(5, { within: 1, path: 'total' }),
    deepEquals({ total: 5 }, { ignore: ['at'] }),
    // @ts-expect-error The output is no text.
    contains('a'),
    // @ts-expect-error Nor is it a number.
    equals(5),
  ],
});

declare const lists: {
  readonly graders: Evaluator<unknown, string>[];
  readonly parts: Record<string, readonly [Evaluator<unknown, string>, number]>;
  readonly texts: string[];
};
evaluation({
  cases: [{ input: 'a', reference: 'b' }],
  target: (ctx) => ctx.input,
  evaluators: [
    contains(),
    contains({ ignoreCase: true }),
    contains(...lists.texts, { ignoreCase: true }),
    similar(undefined, { min: 0.7 }),
    all(...lists.graders, { key: 'listed' }),
    any(...lists.graders),
    weighted(lists.parts),
    weighted({ short: [({ output }) => output.length < 5, 1], equal: [equals(), 2] }),
    any(({ output, reference }) => output === reference),
    ({ reference }) => reference.toUpperCase() === 'B',
  ],
});
evaluation({
  cases: [{ input: 'a', reference: ['a', 'b'] }],
  target: (ctx) => ctx.input,
  evaluators: [contains()],
});
evaluation({
  cases: [{ input: 'a', reference: 5 }],
  target: (ctx) => ctx.input.length,
  evaluators: [closeTo(undefined, { within: 1 }), between(1, 5)],
});

// Graders that could not grade anything.
// @ts-expect-error Without a limit, all would pass.
words({});
// @ts-expect-error Nor is this one.
latency({ min: undefined });
// @ts-expect-error Nothing is combined.
all();
// @ts-expect-error Options alone are no grader.
all({ key: 'none' });
// @ts-expect-error Nothing is combined.
any();
// @ts-expect-error Nothing is weighed.
weighted({});
evaluation({
  target: () => ({ total: 5 }),
  evaluators: [
    // @ts-expect-error An object is no number: it needs a path.
    closeTo(5, { within: 1 }),
    // @ts-expect-error It needs a path here, too.
    between(1, 5),
  ],
});
const nearReference = closeTo(undefined, { within: 1 });
export const unlikeReference = [
  // @ts-expect-error A number is no text to look for.
  evaluation({ cases: [{ input: 'a', reference: 5 }], target: String, evaluators: [contains()] }),
  // @ts-expect-error Nor one to compare with.
  evaluation({ cases: [{ input: 'a', reference: 5 }], target: String, evaluators: [similar()] }),
  // @ts-expect-error Only contains, containsAny and excludes take a list.
  evaluation({ cases: [{ reference: ['a'] }], target: String, evaluators: [startsWith()] }),
  // @ts-expect-error A text is no number.
  evaluation({ cases: [{ reference: 'a' }], target: Number, evaluators: [nearReference] }),
];
