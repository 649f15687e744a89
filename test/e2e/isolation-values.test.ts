import { expect } from 'chai';
import { Project } from '../helpers/project.js';
import { fewOf } from '../helpers/rounds.js';

// How each value is stored is tested with the function that converts it.
const odd = `
import { evaluation } from 'assay';
const cycle = { name: 'cycle' };
cycle.self = cycle;
let deep = 'bottom';
for (let n = 0; n < 10_000; n += 1) deep = { deep };
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const values = {
  nothing: undefined,
  cycle,
  deep,
  proto: JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}'),
  proxy: revoked.proxy,
  symbol: Symbol('mark'),
};
export const odd = Object.entries(values).map(([name, value]) => evaluation({ name, target: () => value }));
export const thrown = Object.entries(values).map(([name, value]) =>
  evaluation({ name: 'throws ' + name }, () => { throw value; }),
);
export const everywhere = evaluation({ input: cycle, reference: new Map([['k', 1n]]), metadata: { when: new Date(0) } }, (ctx) => {
  ctx.traceData.messages = [cycle, 1n];
  ctx.metadata.more = new Set([1]);
  ctx.score({ key: 'note', value: 1, notes: 'half \\ud800' });
});
`;

describe('values that JSON cannot hold', () => {
  it('are converted once, and can be read, exported and shown', async () => {
    const project = new Project({ 'odd.eval.ts': odd });
    const { run, result, code } = await project.run();
    expect(code).to.equal(0);
    expect(result('nothing')).to.deep.include({ output: null, status: 'completed' });
    expect(result('cycle').output).to.deep.equal({ name: 'cycle', self: '<circular>' });
    const thrown = run.results.filter((row) => row.function.startsWith('throws '));
    expect(thrown).to.have.lengthOf(6);
    for (const row of thrown) {
      expect(row.result.status, row.function).to.equal('error');
      expect(row.result.error, row.function).to.match(/\S/);
    }
    // Nobody can even await a proxy that was revoked.
    expect(run.total_errors).to.equal(thrown.length + 1);
    expect(result('everywhere')).to.deep.include({
      input: { name: 'cycle', self: '<circular>' },
      reference: { k: '1' },
      metadata: { when: '1970-01-01T00:00:00.000Z', more: [1] },
      status: 'completed',
    });
    for (const format of ['csv', 'md']) {
      expect((await project.assay(['export', 'latest', '-f', format])).code).to.equal(0);
    }
    expect((await project.exported()).run).to.deep.equal(run);
  });
});

/** Bodies of evaluations whose values are too large to be kept whole. */
const large: Readonly<Record<string, string>> = {
  text: `{ target: () => 'x'.repeat(100_000_000), evaluators: [({ output }) => ({ key: 'whole', passed: output.length === 100_000_000 })] }`,
  escaped: `{ target: () => '\\u0001'.repeat(3_500_000) }`,
  list: `{ target: () => Array.from({ length: 1_300_000 }, (_, n) => 'item ' + n) }`,
  everywhere: `{ input: 'i'.repeat(17_000_000) }, (ctx) => {
    ctx.output = 'o'.repeat(17_000_000);
    ctx.metadata.much = 'm'.repeat(17_000_000);
    ctx.traceData.much = 't'.repeat(17_000_000);
    ctx.score({ key: 'notes', value: 1, notes: 'n'.repeat(18_000_000) });
  }`,
};

describe('values of up to 100 MB', () => {
  it('are cut with a marker and a warning, while the others finish', async () => {
    const names = fewOf(Object.keys(large), 1);
    const project = new Project({
      'large.eval.ts': `
import { evaluation } from 'assay';
${names.map((name) => `export const ${name} = evaluation(${large[name]});`).join('\n')}
export const bytes = evaluation({ target: () => Buffer.alloc(100_000_000) });
export const throws = evaluation({}, () => { throw new Error('e'.repeat(17_000_000)); });
export const small = evaluation({ target: () => 'small' });
`,
    });
    const { run, result, stderr } = await project.run(['-c', '4']);
    // What is graded is whole.
    expect(result('text').scores).to.deep.equal([{ key: 'whole', passed: true }]);
    expect(result('throws').error?.length).to.be.within(1000, 20_000);
    expect(result('bytes').output).to.deep.include({ $bytes: 100_000_000 });
    for (const name of names) {
      const { output, trace_data, status } = result(name);
      expect(status, name).to.equal('completed');
      const text = JSON.stringify(output);
      expect(Buffer.byteLength(text), name).to.be.within(1_000_000, 16 * 1024 * 1024 + 100);
      expect(text.slice(-60), name).to.include('[cut: ');
      const warning = 'the output was larger than 16 MiB and has been cut';
      expect(trace_data.warnings, name).to.include(warning);
      expect(stderr).to.include(`! large.eval.ts::${name}: ${warning}`);
      for (const { notes } of result(name).scores)
        expect(notes?.length ?? 0).to.be.below(17_000_000);
    }
    expect(result('small').output).to.equal('small');
    expect(run.total_errors).to.equal(1);
    for (const row of run.results) {
      const bytes = Buffer.byteLength(JSON.stringify(row));
      expect(bytes, row.function).to.be.below(96 * 1024 * 1024);
    }
  }).timeout(120_000);
});
