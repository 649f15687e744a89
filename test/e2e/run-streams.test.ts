import { expect } from 'chai';
import { Project, until } from '../helpers/project.js';

const sources = `
import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { evaluation } from 'assay';

const encode = (text: string) => new TextEncoder().encode(text);
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
async function* each<T>(...chunks: T[]) { for (const chunk of chunks) { await later(1); yield chunk; } }
function stream<T>(...chunks: T[]) {
  return new ReadableStream<T>({ start(to) { for (const one of chunks) to.enqueue(one); to.close(); } });
}
`;

describe('outputs that are streams', () => {
  it('are read to the end before anything grades them', async () => {
    const project = new Project({
      'a.eval.ts': `${sources}
const umbrella = encode('☂ rain');
const isString = ({ output }: { output: unknown }) => ({ key: 'is string', passed: typeof output === 'string' });
export const texts = Object.entries({
  generator: () => each('Hel', 'lo ', '👋'),
  promised: async () => each('Hello'),
  textStream: () => stream('Hel', 'lo'),
  bytes: () => stream(umbrella.subarray(0, 2), umbrella.subarray(2)),
  node: () => Readable.from([Buffer.from('Hel'), Buffer.from('lo')], { objectMode: false }),
  response: () => new Response('Hello ☂'),
  emptyResponse: () => new Response(null, { status: 204 }),
  nothing: () => each<string>(),
  mixed: () => each<string | Uint8Array>('a ', umbrella.subarray(0, 3), ' b'),
  // A polyfill of older days: no async iterator.
  reader: () => { const inner = stream('Hel', 'lo'); return { getReader: () => inner.getReader() }; },
}).map(([name, target]) =>
  evaluation({ name, target, evaluators: [isString] }, (ctx) => {
    ctx.score('in the body', typeof ctx.output === 'string');
  }));
export const objects = evaluation({
  target: () => each({ type: 'text-delta', text: 'Hi' }, { type: 'finish' }),
  evaluators: [({ output }) => Array.isArray(output) && output.length === 2],
});
export const set = evaluation({ target: (ctx) => { ctx.output = stream('set'); }, evaluators: [isString] });
export const bodyOnly = evaluation({ evaluators: [isString] }, (ctx) => { ctx.output = each('by ', 'the body'); });
`,
    });
    const { run, result } = await project.run(['-c', '20']);
    const outputs = Object.fromEntries(run.results.map((row) => [row.function, row.result.output]));
    expect(outputs).to.deep.equal({
      generator: 'Hello 👋',
      promised: 'Hello',
      textStream: 'Hello',
      bytes: '☂ rain',
      node: 'Hello',
      response: 'Hello ☂',
      emptyResponse: '',
      nothing: '',
      mixed: 'a ☂ b',
      reader: 'Hello',
      objects: [{ type: 'text-delta', text: 'Hi' }, { type: 'finish' }],
      set: 'set',
      bodyOnly: 'by the body',
    });
    for (const row of run.results) {
      expect(row.result.error, row.function).to.equal(null);
      for (const { key, passed } of row.result.scores) {
        expect(passed, `${row.function} ${key}`).to.equal(true);
      }
      expect(row.result.trace_data, row.function).to.not.have.property('warnings');
    }
    expect(result('nothing').trace_data).to.deep.equal({});
  });

  it('count in the latency, keep the time to the first chunk, and what came before an error', async () => {
    const project = new Project({
      'a.eval.ts': `${sources}
async function* slow() { await later(50); yield 'first'; await later(100); yield ' last'; }
export const one = evaluation({
  target: () => slow(),
  evaluators: [({ traceData }) => ({ key: 'known', passed: (traceData.timeToFirstChunk ?? 0) > 0.04 })],
});
export const own = evaluation({ target: (ctx) => { ctx.traceData.timeToFirstChunk = 7; return slow(); } });
async function* broken() { yield 'so far '; yield 'so good'; throw new Error('connection lost'); }
export const breaks = evaluation({ target: () => broken() }, () => undefined);
export const taken = evaluation({ target: async () => {
  const response = new Response('once');
  await response.text();
  return response;
} }, () => undefined);
export const locked = evaluation({ target: () => {
  const one = stream('a');
  one.getReader();
  return one;
} }, () => undefined);
export const fine = evaluation({ target: () => each('fine') }, () => undefined);
`,
    });
    const { result, statuses } = await project.run();
    const { latency, trace_data, scores } = result('one');
    const first = trace_data.time_to_first_chunk;
    expect(first).to.be.a('number').and.to.be.above(0.04);
    expect(latency).to.be.above(Number(first) + 0.09);
    expect(scores[0]).to.include({ key: 'known', passed: true });
    expect(result('own').trace_data).to.deep.equal({ time_to_first_chunk: 7 });
    for (const name of ['breaks', 'taken', 'locked'])
      expect(statuses[name], name).to.equal('error');
    expect(statuses.fine).to.equal('completed');
    expect(result('breaks').error).to.match(/^Error: connection lost\n/);
    expect(result('breaks').output).to.equal('so far so good');
    expect(result('taken').error).to.match(/^TypeError: .*(?:disturbed|locked|read|unusable)/);
    expect(result('locked').error).to.include('locked');
    const regraded = await project.run(['--regrade', 'latest', 'a.eval.ts']);
    expect(regraded.result('one').trace_data).to.deep.equal({ time_to_first_chunk: first });
    expect(regraded.result('one').scores[0]).to.include({ key: 'known', passed: true });
  });

  it('end with the timeout: what came is kept, and the source is told', async () => {
    const project = new Project({
      'a.eval.ts': `${sources}
export const endless = evaluation({ timeout: 0.3, target: () => new ReadableStream({
  async pull(to) { await later(20); to.enqueue('tick '); },
  cancel(reason) { console.log('cancelled: ' + reason.name); },
}) });
async function* stuck() { yield 'one'; await new Promise(() => {}); }
export const hangs = evaluation({ timeout: 0.3, target: () => stuck() });
// These never wait.
async function* nothing() { for (;;) yield ''; }
export const floods = evaluation({ timeout: 0.3, target: () => nothing() });
export const pulled = evaluation({ timeout: 0.3, target: () => new ReadableStream({ pull(to) { to.enqueue(''); } }) });
export const sameHost = evaluation({ target: () => process.pid });
export const fine = evaluation({ target: async () => {
  while (!existsSync('over')) await later(10);
  return process.pid;
} });
`,
    });
    const { ended } = project.start(['run']);
    await until(() => project.finishedResults() === 5, 'all others to be over');
    project.write('over', '');
    await ended;
    const { result } = await project.exported();
    for (const name of ['endless', 'hangs']) {
      expect(result(name).error, name).to.equal('timed out after 0.3 s in its target');
    }
    // On a busy machine they are seen to hold it at the deadline.
    for (const name of ['floods', 'pulled']) {
      expect(result(name).error, name).to.match(/^timed out after 0\.3 s .*in its target/);
    }
    expect(result('endless').output).to.match(/^(tick )+$/);
    expect(JSON.stringify(result('endless').trace_data)).to.include('cancelled: TimeoutError');
    expect(result('hangs').output).to.equal('one');
    // None of them holds the process: nothing was killed.
    expect(result('fine').output).to.equal(result('sameHost').output);
  });
});

// What is lost of which value, and how that is said, is tested with the functions that store values.
describe('values of which something is not stored', () => {
  it('get warnings on the result, once each, and one line for each evaluation on the terminal', async () => {
    const project = new Project({
      'cases.jsonl': String.raw`{"input": "in \ud83d", "reference": {"is": ["\ude00"]}, "metadata": {"m": "\ud83d"}}`,
      'a.eval.ts': `
import { evaluation, fromJsonl } from 'assay';
class Answer { #text = 'hidden'; get text() { return this.#text; } }
class Streaming { status = 'pending'; #parts = 1; get textStream() { return this.#parts; } get text() { return Promise.resolve('x'); } }
const keys = () => new Map<unknown, number>([[1, 1], ['1', 2]]);
export const hidden = evaluation({ cases: [{ input: 1 }, { input: 2 }], target: () => new Answer() });
export const fine = evaluation({ target: () => ({ map: new Map(), none: Object.create(null) }) });
export const values = evaluation({
  input: { keys: keys() }, reference: [keys()], metadata: { keys: keys() },
  target: (ctx) => { ctx.traceData.keys = keys() as never; return { all: new Set([keys()]) }; },
  evaluators: [({ output }) => output.all.size === 1],
});
export const returned = evaluation({ target: () => new Streaming() });
export const set = evaluation({}, (ctx) => { ctx.output = { result: new Streaming() }; });
export const named = evaluation({ target: () => [{ get [process.env.A_TOKEN!]() { throw new Error('no'); } }] });
export const half = evaluation({
  cases: fromJsonl('cases.jsonl'),
  target: (ctx) => { ctx.traceData.t = '\\ud83d'; return '😀'.slice(0, 1); },
  evaluators: [() => ({ key: 'ok', passed: true, notes: 'because \\ud83d' }), () => ({ key: 'whole', passed: true, notes: '😀' })],
});
`,
    });
    const env = { A_TOKEN: 'sk-first-secret-value' };
    const { result, stderr } = await project.run([], { env });
    const warnings = (name: string) => result(name).trace_data.warnings;
    const hidden = 'the output is an instance of Answer, whose content cannot be stored';
    expect(warnings('hidden[1]')).to.deep.equal([hidden]);
    const told = stderr.split('\n').filter((line) => line.startsWith('! a.eval.ts::hidden'));
    expect(told).to.deep.equal([`! a.eval.ts::hidden[0]: ${hidden}`]);
    expect(warnings('fine')).to.equal(undefined);
    const lost = (at: string) =>
      `has several keys${at} that are stored as "1": only the last is kept`;
    const values = [
      `the output ${lost(' at .all[0]')}`,
      `the input ${lost(' at .keys')}`,
      `the reference ${lost(' at [0]')}`,
      `the metadata ${lost(' at .keys')}`,
      `the trace data ${lost(' at .keys')}`,
    ];
    expect(warnings('values')).to.deep.equal(values);
    expect(warnings('returned')).to.deep.equal([
      'the output cannot be graded again: it is not stored as the target returned it (getters: .text, .textStream). Return plain data, such as { text: await result.text }.',
    ]);
    expect(warnings('set')).to.deep.equal([
      'the output contains an instance of Streaming at .result, whose getters are not stored: .text, .textStream',
    ]);
    expect(JSON.stringify(warnings('named'))).to.match(
      /cannot be read at \[0\]\.\[redacted.*: only the error/,
    );
    expect(JSON.stringify(result('named'))).to.not.include('first-secret');
    const half = (at = '') => `half of a character (a lone surrogate)${at}, stored as U+FFFD`;
    expect(warnings('half[0]')).to.deep.equal([
      `the output has ${half()}`,
      `the input has ${half()}`,
      `the reference has ${half(' at .is[0]')}`,
      `the metadata has ${half(' at .m')}`,
      `the notes of score "ok" have ${half()}`,
      `the trace data has ${half(' at .t')}`,
    ]);
    const regraded = await project.run(['--regrade', 'latest', 'a.eval.ts::values']);
    expect(regraded.result('values').trace_data.warnings).to.deep.equal(values);
  });
});
