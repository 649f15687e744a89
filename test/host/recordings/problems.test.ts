import { expect } from 'chai';
import { startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';

const head = `
import { evaluation } from 'assay';
const ask = (model: string) => fetch(process.env.PROVIDER + '/v1/chat/completions', {
  method: 'POST',
  body: JSON.stringify({ model, messages: [{ role: 'user', content: process.env.QUESTION }] }),
});
`;

describe('a normalize that cannot be used', () => {
  const problems: Readonly<Record<string, readonly [normalize: string, error: RegExp]>> = {
    promises: ['async (body: any) => body', /^normalize returned a promise/],
    throws: ["() => { throw new Error('no messages'); }", /^normalize failed: Error: no messages/],
    // JSON has no form for what it returns.
    circles: [
      '() => { const body: any = {}; body.body = body; return body; }',
      /^normalize failed: TypeError: Converting circular structure to JSON/,
    ],
  };

  it('makes its result an error, recorded or offline', async () => {
    await using provider = await startFakeProvider();
    const evals = Object.entries(problems).map(([name, [normalize]]) => {
      return `export const ${name} = evaluation({ normalize: ${normalize}, target: async () => (await ask('m')).status });`;
    });
    const project = new Project({ 'a.eval.ts': head + evals.join('\n') });
    for (const [question, flag] of [
      ['one', '--record'],
      ['two', '--offline'],
    ] as const) {
      const env = { PROVIDER: provider.url, QUESTION: question };
      const { result } = await project.run([flag], { env });
      for (const [name, [, error]] of Object.entries(problems)) {
        expect(result(name).error, `${name} ${flag}`).to.match(error);
      }
    }
    expect(provider.exchanges).to.deep.equal([]);
  });
});

describe('requests whose answers are not recorded', () => {
  it('are counted at the end of a run that records, except those that were repeated with success', async () => {
    await using provider = await startFakeProvider(({ repeat }) =>
      repeat === 0 ? { status: 500, text: 'busy' } : { text: 'an answer' },
    );
    const project = new Project({
      'a.eval.ts': `${head}
        export const once = evaluation({ target: async () => { await (await ask('once')).text(); } });
        export const again = evaluation({ target: async () => { await (await ask('again')).text(); await (await ask('again')).text(); } });`,
    });
    const env = { PROVIDER: provider.url, QUESTION: 'hi' };
    const { stderr } = await project.assay(['run', '--record'], { env });
    expect(stderr).to.contain(
      '1 request was not recorded: its answer failed, broke off, was not read to its end or holds an error. --offline will refuse it.',
    );
    expect(stderr.match(/not recorded/g)).to.have.length(1);
  });
});

describe('an import that makes calls', () => {
  it('fails offline where one of them is not recorded, even if the file catches that', async () => {
    const provider = await startFakeProvider(() => ({ text: 'an answer' }));
    const project = new Project({
      'a.eval.ts': `${head}
        const answer = await ask('m').then((one) => one.json(), () => undefined);
        export const asked = evaluation({ target: () => answer?.choices?.[0].message.content ?? 'nothing' });`,
    });
    const env = { PROVIDER: provider.url, QUESTION: 'one' };
    const recorded = await project.run(['--record'], { env });
    expect(recorded.run.results[0]?.result.output).to.equal('an answer');
    await provider[Symbol.asyncDispose]();
    const same = await project.run(['--offline'], { env });
    expect(same.run.results[0]?.result.output).to.equal('an answer');
    const other = await project.assay(['run', '--offline'], { env: { ...env, QUESTION: 'two' } });
    expect(other.code).to.equal(2);
    expect(other.stderr).to.match(
      /not recorded: POST 127\.0\.0\.1:\d+\/v1\/chat\/completions \(m\)/,
    );
    expect(other.stderr).to.contain('- one');
    expect(other.stderr).to.contain('+ two');
    expect(other.stderr).to.contain('record it: assay run a.eval.ts --record');
    expect(other.stderr).not.to.contain('    at ');
  });
});
