import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { type JsonRun, Project, ProjectWithoutHosts } from '../helpers/project.js';
import { RedisUnderTest, workHere } from '../helpers/redis.js';

/** Each target returns something that JSON does not keep; `seen` says what its grader has to see. */
const kept = [
  ['undefinedField', '({ a: 1, b: undefined })', `'b' in output && output.b === undefined`],
  ['undefinedOutput', 'undefined', 'output === undefined'],
  ['notANumber', '({ score: Number.NaN })', 'Number.isNaN(output.score)'],
  ['negativeZero', '-0', 'Object.is(output, -0)'],
  ['date', 'new Date(0)', 'output.getTime() === 0'],
  ['map', `new Map([[1, 'a'], ['1', 'b']])`, 'output.size === 2'],
  ['bigint', '5n', 'output === 5n'],
  ['bytes', `Buffer.from('hello')`, `output.toString() === 'hello'`],
  ['cycle', 'ring', 'output.self === output'],
  ['error', `new TypeError('no')`, 'output instanceof TypeError'],
] as const;

/** Returned from targets, and neither JSON nor the structured clone keeps them. */
const lost = [
  ['instance', 'new Money(250)', 'output.euros === 2.5', 'getters: .euros'],
  [
    'nested',
    '({ money: [new Money(250)] })',
    'output.money[0].euros === 2.5',
    'getters: .money[0].euros',
  ],
  [
    'bytesWithSecret',
    'Buffer.concat([Buffer.alloc(5000), Buffer.from(process.env.SHOP_TOKEN)])',
    'output.length > 5000',
    'redacted',
  ],
  ['secret', '({ token: process.env.SHOP_TOKEN })', `output.token === 'blue-house-42'`, 'redacted'],
] as const;

const evals = [
  `import { evaluation } from 'assay';
   class Money { constructor(cents) { this.cents = cents; } get euros() { return this.cents / 100; } }
   const ring = {}; ring.self = ring;`,
  ...[...kept, ...lost].map(
    ([name, value, seen]) =>
      `export const ${name} = evaluation({ target: () => (${value}), evaluators: [function sees({ output }) { return ${seen}; }] });`,
  ),
  // Inputs, references and metadata, too; and those that a case leaves out.
  `const when = new Date(0);
   export const authored = evaluation({
     input: new Map([['a', undefined]]), metadata: { when }, target: (ctx) => { ctx.metadata.more = 1n; return 'x'; },
     evaluators: [function sees({ input, reference, metadata }) {
       return input.has('a') && reference === undefined && metadata.when.getTime() === 0 && metadata.more === 1n;
     }],
   });
   export const reference = evaluation({
     reference: { b: undefined, is: /a/ }, target: () => 'a',
     evaluators: [function sees({ output, input, reference }) { return input === undefined && 'b' in reference && reference.is.test(output); }],
   });
   export const traced = evaluation({
     target: (ctx) => { ctx.traceData.steps = new Map([['a', undefined]]); ctx.traceData.traceUrl = 'https://traces.example'; console.log('b'); return 'a'; },
     evaluators: [function sees({ traceData }) { return traceData.steps.has('a') && traceData.traceUrl.length > 5; }],
   });
   export const lostTrace = evaluation({
     target: (ctx) => { ctx.traceData.money = new Money(250); return 'a'; },
     evaluators: [function sees({ traceData }) { return traceData.money.euros === 2.5; }],
   });
   export const lostInput = evaluation({
     input: { is: () => true }, target: () => 'a', evaluators: [function sees({ input }) { return input.is(); }],
   });`,
].join('\n');

const total = kept.length + lost.length + 5;
const inexact = lost.length + 2;
const env = { SHOP_TOKEN: 'blue-house-42' };

const files = { 'a.eval.ts': evals };

function reasons(run: RunJson): string[] {
  return run.results.flatMap(({ inexact_because: why }) => why ?? []);
}

describe('grading outputs again as they were', function () {
  this.timeout(120_000);
  let ran: Project;
  let first: JsonRun;
  before(async () => {
    ran = new ProjectWithoutHosts(files);
    first = await ran.run([], { env });
  });

  it('sees what grading saw, and leaves what is not stored as it was', async () => {
    const at = ran.copy();
    expect(first.run).to.include({ total_evaluations: total, total_passed: total });
    expect(reasons(first.run)).to.deep.equal([
      ...lost.map(([, , , why]) => why),
      'getters in trace data: .money.euros',
      'function in input: .is',
    ]);
    expect(first.run.results.every(({ regradable }) => regradable === true)).to.equal(true);
    const inexactRows = first.run.results.filter((entry) => entry.inexact === true);
    expect(inexactRows).to.have.length(inexact);
    const warning =
      /not stored as the target returned it \(getters: \.euros\)\. Return plain data, such as \{ euros: result\.euros \}\./;
    expect(first.stderr).to.match(warning);

    const again = await at.run(['--regrade', 'latest'], { env });
    expect(again.run).to.include({ total_passed: total, skipped_inexact: inexact });
    expect(again.stderr).to.include(
      `${inexact} of ${total} outputs cannot be graded again: they are not stored as the target returned them (getters: .euros; getters: .money[0].euros; redacted; 2 more). Return plain data, or rerun`,
    );
  });

  it('ends with 2 for gates on grades that could not be renewed, until they are', async () => {
    const at = ran.copy();
    const gated = ['--fail-under', '0.5'];
    const left = await at.assay(['run', '--regrade', 'latest', ...gated], { env });
    expect(left.code, left.stderr).to.equal(2);
    expect(left.stderr).to.include(`${inexact} of ${total} results keep their former grades`);
    expect((await at.assay(['sessions', 'gate', 'latest', ...gated])).code).to.equal(2);
    const exported = await at.exported();
    expect(exported.run.results.filter((entry) => entry.former_grade)).to.have.length(inexact);
    at.write('run.json', JSON.stringify(exported.run));
    expect(
      (await at.assay(['sessions', 'import', 'run.json', '--session', 'other'])).code,
    ).to.equal(0);
    const imported = ['sessions', 'gate', 'latest', '--session', 'other', ...gated];
    expect((await at.assay(imported)).code).to.equal(2);

    const all = await at.run(['--regrade', 'latest', '--regrade-inexact'], { env });
    expect(all.run).to.include({ total_passed: total - inexact, skipped_inexact: 0 });
    const marked = all.run.results.filter(({ result }) => result.scores.some((one) => one.inexact));
    expect(marked.map((entry) => entry.function)).to.deep.equal([
      ...lost.map(([name]) => name),
      'lostTrace',
    ]);
    expect((await at.assay(['sessions', 'gate', 'latest', ...gated])).code).to.equal(0);
    const rerun = await at.run(['--rerun', 'latest'], { env });
    expect(rerun.run.total_passed).to.equal(total);
  });

  it('is no new pass of results of which some are left: their rates stay those of one grading', async () => {
    const half = (seen: string) => `
      import { evaluation } from 'assay';
      class Answer { constructor(text) { this.text = text; } get length() { return this.text.length; } }
      export const half = evaluation({
        cases: Array.from({ length: 8 }, (_, input) => ({ id: String(input), input })),
        target: ({ input }) => input < 4 ? { text: 'a', length: 1 } : new Answer('a'),
        evaluators: [function sees({ output }) { return ${seen}; }],
      });
      export const plain = evaluation({ target: () => 'a', evaluators: [function sees() { return ${seen}; }] });`;
    const at = new ProjectWithoutHosts({ 'a.eval.ts': half('true') });
    await at.run();
    at.write('a.eval.ts', half('false'));
    const again = await at.run(['--regrade', 'latest']);
    expect(again.stderr).to.match(/4 pass now: 0 of 4 passed when graded again/);
    expect(again.stderr).not.to.match(/pass 2 of this run/);
    expect(again.run.summary).to.deep.include({ passes: 1, repeats: 4 });
    expect(again.run.summary.verdicts).to.deep.equal({ passed: 8, failed: 1, errors: 0, none: 0 });
    const all = await at.run(['--regrade', 'latest', '--regrade-inexact']);
    expect(all.stderr).to.match(/pass 2 of this run; before: 88.9 %/);
    expect(all.run.summary).to.deep.include({ passes: 2, repeats: 0 });
  });

  it('ends with 2 for gates where the stored form has no verdict any more, until it is run again', async () => {
    const at = new ProjectWithoutHosts({
      'a.eval.ts': `
        import { evaluation } from 'assay';
        class Answer { constructor(right) { this.right = right; } get text() { return this.right; } }
        export const lost = evaluation({
          cases: [true, false, false].map((input, id) => ({ id: String(id), input })),
          target: ({ input }) => new Answer(input),
          evaluators: [
            function long() { return true; },
            function right({ output }) { return output.text; },
          ],
        });
        export const plain = evaluation({ target: () => 'a', evaluators: [function right() { return true; }] });`,
    });
    const gates = [
      ['--fail-under', '0.5'],
      ['--fail-under', 'right=0.5'],
      ['--fail-on', 'errors'],
    ];
    const codes = async (reference: string) => {
      const found = [];
      for (const gate of gates) {
        found.push((await at.assay(['sessions', 'gate', reference, ...gate])).code);
      }
      return found;
    };
    const { run } = await at.run(['--run-name', 'lossy']);
    expect(run.total_passed).to.equal(2);
    expect(await codes('lossy')).to.deep.equal([0, 0, 0]);
    const args = ['run', '--regrade', 'lossy', '--regrade-inexact', '--fail-under', '0.5'];
    const { code, stderr } = await at.assay(args);
    expect(code, stderr).to.equal(2);
    expect(stderr).to.include(
      '? 3 results have lost scores (right) since the stored form was graded',
    );
    expect(await codes('lossy')).to.deep.equal([2, 2, 2]);
    const bless = await at.assay(['sessions', 'bless', 'lossy', 'base.json']);
    expect(bless.code).to.equal(2);
    expect(bless.stderr).to.match(/was not blessed: 3 results have lost scores \(right\)/);
    const exported = await at.exported('lossy');
    expect(exported.run.results.map(({ lost_scores: keys }) => keys?.join())).to.deep.equal([
      ...['right', 'right', 'right'],
      undefined,
    ]);
    at.write('run.json', JSON.stringify({ ...exported.run, run_name: 'imported' }));
    await at.assay(['sessions', 'import', 'run.json']);
    expect(await codes('imported')).to.deep.equal([2, 2, 2]);
    await at.assay(['run', '--rerun', 'lossy']);
    expect(await codes('lossy')).to.deep.equal([0, 0, 0]);
  });

  it('sees the same in an import of an export', async () => {
    const to = new ProjectWithoutHosts(files);
    to.write('run.json', JSON.stringify((await ran.exported()).run));
    expect((await to.assay(['sessions', 'import', 'run.json'])).code).to.equal(0);
    const again = await to.run(['--regrade', 'latest'], { env });
    expect(again.run).to.include({ total_passed: total, skipped_inexact: inexact });
    expect(reasons(again.run)).to.have.length(inexact);
  });

  it('leaves results whose bytes are damaged, forged, or of a newer Node', async () => {
    const at = ran.copy();
    const { run } = await at.exported();
    const forged: Record<string, (before: string) => { node?: number; output?: string }> = {
      date: () => ({ output: Buffer.from('not what it was').toString('base64') }),
      map: (before) => ({ output: before.slice(0, -8) }),
      // A value that is not the one that is shown.
      bigint: () => ({ output: '/w9aEAYAAAAAAAAA' }),
      bytes: () => ({ node: 999 }),
    };
    const results = run.results.map((entry) => {
      const change = forged[entry.function]?.(entry.kept?.output ?? '');
      return change === undefined ? entry : { ...entry, kept: { ...entry.kept, ...change } };
    });
    at.write('run.json', JSON.stringify({ ...run, results }));
    await at.assay(['sessions', 'import', 'run.json', '--session', 'other']);
    // Without its evaluators, everything that is graded fails.
    at.write('a.eval.ts', evals.replaceAll(/return [^;]+;/g, 'return false;'));
    const again = await at.run(['--regrade', 'latest', '--session', 'other'], { env });
    const passed = again.run.results.flatMap(({ function: name, result }) =>
      result.scores.every((score) => score.passed) ? [name] : [],
    );
    expect(passed).to.deep.equal([
      ...['date', 'map', 'bigint', 'bytes'],
      ...lost.map(([name]) => name),
      ...['lostTrace', 'lostInput'],
    ]);
    expect(again.run).to.include({ total_errors: 0, skipped_inexact: inexact + 1 });
    expect(again.stderr).to.include('3 outputs cannot be graded again');
    const gate = ['sessions', 'gate', 'latest', '--session', 'other', '--fail-under', '0'];
    expect((await at.assay(gate)).stderr).to.include(`${inexact + 4} of ${total} results keep`);
  });

  it('regrades what --changed takes over as it was', async () => {
    const grading = (seen: string) => `
      import { appendFileSync } from 'node:fs';
      import { evaluation } from 'assay';
      export const a = evaluation({
        target: () => { appendFileSync(new URL('./ran', import.meta.url), '.'); return new Map([[1, 'a'], ['1', undefined]]); },
        evaluators: [function sees({ output }) { return ${seen}; }],
      });`;
    const at = new Project({ 'a.eval.ts': grading('output.size === 2'), ran: '' });
    await at.run(['--changed']);
    at.write('a.eval.ts', grading(`output.has('1') && output.get(1) === 'a'`));
    const { run } = await at.run(['--changed']);
    expect(run.results[0]?.result.origin).to.include({ kind: 'regraded' });
    expect([at.read('ran'), run.total_passed]).to.deep.equal(['.', 1]);
    const next = await at.run(['--regrade', 'latest']);
    expect(next.run).to.include({ total_passed: 1, skipped_inexact: 0 });
  });

  it('sees the same on a worker', async () => {
    const redis = await RedisUnderTest.start();
    const at = new Project(files);
    await workHere(at, { url: redis.url, env });
    const run = (...args: readonly string[]) => at.run([...args, '--redis', redis.url], { env });
    expect((await run()).run).to.include({ total_passed: total });
    const again = await run('--regrade', 'latest');
    expect(again.run).to.include({ total_passed: total, skipped_inexact: inexact });
  });
});
