import { expect } from 'chai';
import { Project } from '../helpers/project.js';
import { fewOf } from '../helpers/rounds.js';

const odd = `
import { evaluation } from 'assay';
const cycle = { name: 'cycle' };
cycle.self = cycle;
let deep = 'bottom';
for (let n = 0; n < 10_000; n += 1) deep = { deep };
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const values = {
  undefinedValue: undefined,
  nullValue: null,
  bigint: 12345678901234567890n,
  symbol: Symbol('mark'),
  named: function named() {},
  nan: NaN,
  infinite: [Infinity, -Infinity, -0],
  date: new Date(0),
  noDate: new Date(NaN),
  map: new Map([['a', 1], [{ b: 1 }, 2]]),
  set: new Set([1, 2]),
  buffer: Buffer.from('bytes'),
  typed: new Float64Array([1, 2]),
  error: new TypeError('inside', { cause: new Error('deeper') }),
  promise: Promise.resolve(1),
  regexp: /a+/g,
  surrogate: 'half \\ud800 of one',
  control: 'nul \\u0000 and \\u2028',
  cycle,
  deep,
  proto: JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}'),
  getter: { get broken() { throw new Error('no'); }, fine: 1 },
  toJson: { toJSON: () => ({ through: 'toJSON' }) },
  throwingToJson: { toJSON() { throw new Error('never'); } },
  proxy: revoked.proxy,
  noPrototype: Object.assign(Object.create(null), { a: 1 }),
  sparse: [1, , 3],
  instance: new (class Point { x = 1; #hidden = 2; get y() { return 2; } })(),
  emptyString: '',
  emoji: '👩‍👩‍👧 漢字',
  weak: new WeakMap(),
};
export const odd = Object.entries(values).map(([name, value]) =>
  evaluation({ name, target: () => value ?? (name === 'nullValue' ? null : undefined) }),
);
export const thrown = Object.entries(values).map(([name, value]) =>
  evaluation({ name: 'throws ' + name }, () => { throw value; }),
);
export const everywhere = evaluation({ input: cycle, reference: new Map([['k', 1n]]), metadata: { when: new Date(0) } }, (ctx) => {
  ctx.traceData.messages = [cycle, 1n];
  ctx.metadata.more = new Set([1]);
  ctx.score({ key: 'note', value: 1, notes: 'half \\ud800' });
});
`;

const expected: Readonly<Record<string, unknown>> = {
  undefinedValue: null,
  nullValue: null,
  bigint: '12345678901234567890',
  named: '<function named>',
  nan: 'NaN',
  infinite: ['Infinity', '-Infinity', 0],
  date: '1970-01-01T00:00:00.000Z',
  set: [1, 2],
  promise: 1,
  regexp: '/a+/g',
  surrogate: 'half \ufffd of one',
  control: 'nul \u0000 and \u2028',
  cycle: { name: 'cycle', self: '<circular>' },
  toJson: { through: 'toJSON' },
  noPrototype: { a: 1 },
  sparse: [1, null, 3],
  emptyString: '',
  emoji: '👩‍👩‍👧 漢字',
  buffer: { $bytes: 5, preview: Buffer.from('bytes').toString('hex') },
};

describe('values that JSON cannot hold', () => {
  it('are converted once, and can be read, exported and shown', async () => {
    const project = new Project({ 'odd.eval.ts': odd });
    const { run, result, code } = await project.run(['--session', 's']);
    expect(code).to.equal(0);
    for (const [name, value] of Object.entries(expected)) {
      expect(result(name).output, name).to.deep.equal(value);
      expect(result(name).status, name).to.equal('completed');
    }
    const thrown = run.results.filter((row) => row.function.startsWith('throws '));
    expect(thrown).to.have.lengthOf(31);
    for (const row of thrown) {
      expect(row.result.status, row.function).to.equal('error');
      expect(row.result.error, row.function).to.match(/\S/);
    }
    expect(result('throws error').error).to.match(
      /^TypeError: inside\n[\s\S]*Caused by: Error: deeper/,
    );
    expect(result('everywhere')).to.deep.include({
      input: { name: 'cycle', self: '<circular>' },
      reference: { k: '1' },
      metadata: { when: '1970-01-01T00:00:00.000Z', more: [1] },
      status: 'completed',
    });
    expect(({} as { polluted?: boolean }).polluted).to.equal(undefined);

    const [json, csv, md] = await Promise.all(
      ['json', 'csv', 'md'].map((format) => project.assay(['export', 'latest', '-f', format])),
    );
    expect(JSON.parse(json?.stdout ?? '')).to.deep.equal(run);
    expect(csv?.code).to.equal(0);
    expect(md?.code).to.equal(0);
  });
});

/** Bodies of evaluations whose values are too large to be kept whole. */
const large: Readonly<Record<string, string>> = {
  text: `{ target: () => 'x'.repeat(100_000_000) }`,
  escaped: `{ target: () => '\\u0001'.repeat(3_500_000) }`,
  list: `{ target: () => Array.from({ length: 1_300_000 }, (_, n) => 'item ' + n) }`,
  bytes: `{ target: () => Buffer.alloc(100_000_000) }`,
  everywhere: `{ input: 'i'.repeat(17_000_000) }, (ctx) => {
    ctx.output = 'o'.repeat(17_000_000);
    ctx.metadata.much = 'm'.repeat(17_000_000);
    ctx.traceData.much = 't'.repeat(17_000_000);
    ctx.score({ key: 'notes', value: 1, notes: 'n'.repeat(18_000_000) });
  }`,
  throws: `{}, () => { throw new Error('e'.repeat(17_000_000)); }`,
};

describe('values of up to 100 MB', () => {
  it('are cut with a marker and a warning, while the others finish', async () => {
    const names = fewOf(Object.keys(large), 1);
    const project = new Project({
      'large.eval.ts': `
import { evaluation } from 'assay';
${names.map((name) => `export const ${name} = evaluation(${large[name]});`).join('\n')}
export const small = evaluation({ target: () => 'small' });
`,
    });
    const { run, result } = await project.run(['-c', '4']);
    expect(run.results).to.have.lengthOf(names.length + 1);
    for (const name of names) {
      if (name === 'throws') {
        expect(result(name).error?.length).to.be.within(1000, 20_000);
        continue;
      }
      const { output, trace_data, status } = result(name);
      expect(status, name).to.equal('completed');
      if (name === 'bytes') {
        expect(output).to.deep.include({ $bytes: 100_000_000 });
        continue;
      }
      const text = JSON.stringify(output);
      expect(Buffer.byteLength(text), name).to.be.within(1_000_000, 16 * 1024 * 1024 + 100);
      expect(text.slice(-60), name).to.include('[cut: ');
      const warning = 'the output was larger than 16 MiB and has been cut';
      expect(trace_data.warnings, name).to.include(warning);
      if (name !== 'everywhere') continue;
      expect(result(name).scores[0]?.notes?.length).to.be.within(1000, 17_000_000);
    }
    expect(result('small').output).to.equal('small');
    expect(run.total_errors).to.equal(names.includes('throws') ? 1 : 0);
    for (const row of run.results) {
      const bytes = Buffer.byteLength(JSON.stringify(row));
      expect(bytes, row.function).to.be.below(96 * 1024 * 1024);
    }
  }).timeout(120_000);
});
