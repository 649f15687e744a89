import { expect } from 'chai';
import fc from 'fast-check';
import { CallPricer } from '../../src/model-calls/prices.js';
import { parseHostLine } from '../../src/protocol/messages.js';
import type { FinishedResult } from '../../src/runner/events.js';
import { runWork } from '../../src/runner/execution/row-work.js';
import {
  parseAnswer,
  parseProgress,
  parseToCoordinators,
  parseToWorkers,
} from '../../src/workers/messages.js';
import { parseManifest } from '../../src/workers/run-manifest.js';
import { patience, seed, times } from '../helpers/rounds.js';
import { startedRun, temporaryStore } from '../store/builders.js';

const call = {
  number: 1,
  role: 'target',
  method: 'POST',
  url: 'http://a.test/',
  start: 0,
  end: 1,
  status: 200,
  cost: 0.5,
  model_call: {
    provider: 'openai',
    operation: 'chat',
    model: 'gpt-5-mini',
    usage: { input: 5, output: 7 },
    messages: [0],
    answer: [0],
  },
};
const result = {
  index: 0,
  id: 'evals/a.eval.ts::refund[0]',
  outcome: {
    status: 'completed',
    output: { text: 'x' },
    scores: [{ key: 'ok', passed: true, value: 0.5, notes: 'n' }],
    error: null,
    latency: 0.1,
    startedAt: 1_700_000_000_000,
    trace_data: {},
    metadata: {},
    regradable: true,
    kept: { node: 24, output: 'AA==' },
    inexact: 'cut',
    exact: true,
    hazard: 'h',
    code: '0123456789abcdef',
    lookups: { found: 1, missed: [], unrecorded: 0 },
    calls: { texts: [{ role: 'user' }], calls: [call], spans: [] },
  },
};
const answer = {
  result,
  cwd: '/elsewhere',
  late: [{ task: 0, calls: { texts: [{ role: 'user' }], calls: [call] } }],
  reads: [{ file: 'a.eval.ts', reads: [{ kind: 'file', name: 'a.md', hash: 'b' }] }],
  machine: { 'time zone': 'UTC' },
  waited: { 'gpt-5-mini': 1 },
};
const task = { task: 0, id: 'evals/a.eval.ts::refund[0]', timeout: 5 };

/** JSON that is hard to take: numbers that become infinite or make sums that do, and lists too deep to be written again. */
const hard = [
  ...[
    '1e999',
    '-1e999',
    '1e308',
    '1e15',
    '9e15',
    '-1',
    '0.5',
    'null',
    'true',
    '7',
    '"text"',
    '[]',
    '{}',
  ],
  ...['[null]', '[[]]', '"__proto__"', '{"__proto__":{"a":1},"toJSON":1,"constructor":{}}'],
  `${'['.repeat(1500)}${']'.repeat(1500)}`,
];
const hostile = fc.jsonValue().map((value) => JSON.stringify(value));

/** All paths into a value. */
function paths(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, one]) => paths(one).map((p) => [key, ...p]))];
}

/** The JSON of a value with other JSON at a path. */
function withAt(value: unknown, path: readonly string[], text: string): string {
  const [key, ...rest] = path;
  if (key === undefined) return text;
  const fields = Object.entries(value as object).map(([name, one]) => {
    const inner = name === key ? withAt(one, rest, text) : JSON.stringify(one);
    return Array.isArray(value) ? inner : `${JSON.stringify(name)}:${inner}`;
  });
  return Array.isArray(value) ? `[${fields.join()}]` : `{${fields.join()}}`;
}

/** The JSON of a value with one part replaced: each part by each hard value, and some by any. */
function changesOf(value: object): string[] {
  const all = paths(value);
  const any = fc.tuple(fc.constantFrom(...all), hostile);
  return [
    ...all.flatMap((path) => hard.map((text) => withAt(value, path, text))),
    ...fc
      .sample(any, { numRuns: times(200), seed })
      .map(([path, text]) => withAt(value, path, text)),
  ];
}

describe('results of workers and hosts', function () {
  this.timeout(patience);

  it('become a line of the log that can be read, whatever is sent', async () => {
    const store = await temporaryStore();
    const owner = await startedRun(store, 1);
    const pricer = new CallPricer();
    await pricer.load();
    const work = runWork(owner, () => 5, {
      codeOf: (code: string | undefined) => code,
      rulesOf: () => undefined,
      pricer,
      reasonOf: () => undefined,
      verifies: () => false,
    });
    const record = (finished: FinishedResult) => work.record([work.judge(finished)]);
    for (const text of changesOf(answer)) {
      const { result: parsed, late } = parseAnswer(JSON.parse(text), task);
      expect([parsed.index, parsed.id]).to.deep.equal([0, task.id]);
      record(parsed);
      for (const one of late) if (one.task === 0) owner.addCalls(0, pricer.price(one.calls));
    }
    const { outcome } = result;
    for (const text of changesOf([{ type: 'finished', task: 0, lingering: false, outcome }])) {
      for (const message of parseHostLine(text)) {
        if (message.type !== 'finished' || message.task !== 0) continue;
        record({ index: 0, id: task.id, outcome: message.outcome });
      }
    }
    const run = await store.openRun(owner.run.runId);
    run.trace(0);
    expect(run.problems).to.deep.equal([]);
    await run.close();
    await owner.close('finished');
    await owner.run.close();
  });

  it('are taken as they are sent where nothing is wrong', () => {
    const { isWhole, hasResult, ...parsed } = parseAnswer(answer, task);
    expect(parsed).to.deep.equal(answer);
    expect([isWhole, hasResult]).to.deep.equal([true, true]);
  });

  it('never throw where they are parsed', () => {
    const manifest = { wire: 6, assay: '1', run: { runId: 'a', runName: 'b' }, requires: [[]] };
    for (const text of [...hard, ...changesOf(manifest), 'no json', '']) {
      parseToCoordinators(text);
      parseToWorkers(text);
      parseManifest(text, 'a');
      parseProgress(text);
    }
  });
});
