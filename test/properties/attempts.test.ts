import { expect } from 'chai';
import fc from 'fast-check';
import type { EvalContext } from '../../src/authoring/context.js';
import { definition } from '../../src/authoring/definition.js';
import { evaluation } from '../../src/authoring/evaluation.js';
import { expandCases } from '../../src/authoring/options/expand-cases.js';
import { Attempt } from '../../src/host/attempt/attempt.js';
import { runAttempt } from '../../src/host/attempt/task-scheduler.js';
import type { ImportedCase } from '../../src/host/imported-evaluations.js';
import { Sanitizer } from '../../src/host/sanitizer.js';
import type { Json } from '../../src/model/json.js';
import { parseHostLine, type StoredValues } from '../../src/protocol/messages.js';
import type { Outcome } from '../../src/protocol/outcome.js';
import { parseRecord } from '../../src/store/log/records.js';
import { maxValueBytes } from '../../src/values/convert.js';
import { patience, rounds } from '../helpers/rounds.js';
import { anyText, hostileRecipe, make } from './hostile-values.js';

const run = { runId: '0123456789ab', runName: 'a', sessionName: 'b', params: {} };
const surroundings = {
  sanitizer: new Sanitizer({}),
  catalogue: { folder: process.cwd(), codeOf: () => undefined },
};

describe('an attempt, whatever its functions do', function () {
  this.timeout(patience);

  it('comes to an outcome that the runner takes and the log keeps', async () => {
    await fc.assert(
      fc.asyncProperty(
        deed(),
        hostileRecipe({ isVast: false }),
        anyText(),
        async (name, recipe, text) => {
          const value = make(recipe);
          expectStorable(await performed(deeds[name](value, text), [text, `${text}\n`]));
        },
      ),
      rounds(225),
    );
  });

  it('comes to one when it grades what was stored before', async () => {
    await fc.assert(
      fc.asyncProperty(
        deed(),
        hostileRecipe({ isVast: false }),
        storedValues(),
        async (name, recipe, stored) => {
          const value = make(recipe);
          expectStorable(await performed(deeds[name](value, ''), [], stored));
        },
      ),
      rounds(75),
    );
  });

  it('leaves the values of its case alone, or shares them as they are', async () => {
    await fc.assert(
      fc.asyncProperty(hostileRecipe({ isVast: false }), async (recipe) => {
        const value = make(recipe);
        const read: unknown[] = [];
        const change = (ctx: EvalContext) => {
          read.push(ctx.input, ctx.reference);
          Object.assign(ctx.metadata, { changed: true });
        };
        const metadata = { authored: value };
        expectStorable(
          await performed([{ cases: [{ input: value, reference: value, metadata }] }, change]),
        );
        expect(read).to.have.lengthOf(2);
        expect(metadata).not.to.have.property('changed');
      }),
      rounds(75),
    );
  });
});

type Parts = readonly [options: Record<string, unknown>, body?: (ctx: EvalContext) => unknown];

/** What user code may do with a value; not all of it is meant to be done. */
const deeds = {
  returnsIt: (value) => [{ target: () => value }],
  returnsItLater: (value) => [{ target: async () => value }],
  throwsIt: (value) => [{ target: thrower(value) }],
  rejectsWithIt: (value) => [{}, () => Promise.reject(value)],
  setsOutput: (value) => [{}, (ctx) => assign(ctx, { output: value })],
  setsMetadata: (value) => [{}, (ctx) => assign(ctx, { metadata: value })],
  setsTraceData: (value) => [{}, (ctx) => assign(ctx, { traceData: value })],
  setsTraceUrl: (value) => [{}, (ctx) => assign(ctx.traceData, { traceUrl: value, logs: value })],
  setsLatency: (value) => [{}, (ctx) => assign(ctx, { latency: value })],
  addsMetadata: (value, text) => [{}, (ctx) => assign(ctx.metadata, { [text]: value })],
  addsTraceData: (value, text) => [{}, (ctx) => assign(ctx.traceData, { [text]: value })],
  hidesOutput: (value) => [
    { evaluators: [() => true] },
    (ctx) => void Object.defineProperty(ctx, 'output', { get: thrower(value) }),
  ],
  hidesContext: (value) => [
    { evaluators: [() => true] },
    (ctx) => {
      const get = thrower(value);
      Object.defineProperties(ctx, { metadata: { get }, traceData: { get }, latency: { get } });
    },
  ],
  freezesContext: (value) => [{ target: (ctx: EvalContext) => Object.freeze(ctx) && value }],
  scores: (value) => [{}, (ctx) => ctx.score(value as never)],
  scoresByName: (value, text) => [{}, (ctx) => ctx.score(text, value as never)],
  scoresWithNotes: (value, text) => [
    {},
    (ctx) => ctx.score({ key: text, passed: true, notes: value } as never),
  ],
  scoresText: (_, text) => [
    {},
    (ctx) => {
      ctx.score(`${text}a`, 1);
      ctx.score({ key: `${text}b`, passed: false, notes: text });
    },
  ],
  fails: (value) => [{}, thrower({ name: 'AssertionError', message: value })],
  failsInText: (_, text) => [
    {},
    thrower(Object.assign(new Error(text), { code: 'ERR_ASSERTION' })),
  ],
  grades: (value) => [{ evaluators: [() => value] }],
  gradesInList: (value) => [{ evaluators: [() => [value, { passed: true }]] }],
  gradesWithIt: (value, text) => [
    { evaluators: [() => ({ key: text, passed: true, value, notes: value })] },
  ],
  gradesByName: (value) => [
    { evaluators: [() => ({ name: 'a', score: value, metadata: value, error: value })] },
  ],
  gradesBadly: (value) => [{ evaluators: [thrower(value), () => true] }],
  gradesWithLies: (value) => [
    { evaluators: [() => Object.assign([], { flatMap: () => value, length: 1 })] },
  ],
} satisfies Record<string, (value: unknown, text: string) => Parts>;

function deed(): fc.Arbitrary<keyof typeof deeds> {
  return fc.constantFrom(...(Object.keys(deeds) as (keyof typeof deeds)[]));
}

function storedValues(): fc.Arbitrary<StoredValues> {
  const json = fc.jsonValue() as fc.Arbitrary<Json>;
  const fields = fc.dictionary(anyText(), json);
  return fc.record({
    authored: fc.record({ input: json, reference: json }),
    output: json,
    metadata: fields,
    traceData: fc.oneof(fields, fc.record({ logs: json, trace_url: json })),
  });
}

async function performed(
  [options, body]: Parts,
  printed: readonly string[] = [],
  stored?: StoredValues,
): Promise<Outcome> {
  const attempt = new Attempt({
    task: 0,
    id: 'a.eval.ts::one',
    timeout: 0.5,
    ...(stored === undefined ? {} : { stored }),
  });
  for (const text of printed) attempt.log('stdout', text);
  const entry = await makeEntry(options, body);
  return new Promise((resolve) => {
    const hasReturned = runAttempt(attempt, entry, run, surroundings, ({ outcome }) =>
      resolve(outcome),
    );
    if (hasReturned) attempt.end();
  });
}

async function makeEntry(...[options, body]: Parts): Promise<ImportedCase> {
  const of = definition(evaluation(options as object, body as () => void));
  const [spec] = await expandCases(of, 'one');
  if (spec === undefined) throw new Error('there is no case');
  const descriptor = {
    id: 'a.eval.ts::one',
    evaluation: 'a.eval.ts::one',
    function: 'one',
    dataset: 'a',
    labels: [],
    hasTarget: spec.target !== undefined,
    skip: false,
    only: false,
  };
  const place = { exportName: 'one' };
  return { descriptor, file: 'a.eval.ts', name: 'one', spec, body: of.body, place };
}

/** The runner gets the very outcome from the line a host sends, and the store reads what it then writes. */
function expectStorable(outcome: Outcome): void {
  const line = JSON.stringify([{ type: 'finished', task: 0, outcome, lingering: false }]);
  expect(line.isWellFormed()).to.equal(true);
  expect(parseHostLine(line)).to.deep.equal(JSON.parse(line));
  const record = JSON.stringify({ type: 'finished', index: 0, at: '', ...outcome });
  expect(parseRecord(record)).to.deep.equal(JSON.parse(record));
  for (const part of [outcome.output, outcome.metadata ?? null]) {
    expect(Buffer.byteLength(JSON.stringify(part))).to.be.at.most(maxValueBytes);
  }
}

function assign(to: object, values: Readonly<Record<string, unknown>>): void {
  Object.assign(to, values);
}

function thrower(value: unknown): () => never {
  return () => {
    throw value;
  };
}
