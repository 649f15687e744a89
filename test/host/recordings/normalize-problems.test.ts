import { expect } from 'chai';
import { type FakeReply, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';

/** An eval file whose requests are compared by `normalize`. */
const evals = (normalize: string) => `
import { evaluation } from 'assay';
export const ask = evaluation({
  normalize: ${normalize},
  target: async () => {
    const answer = await fetch(process.env.PROVIDER + '/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: process.env.QUESTION }] }),
    });
    return ((await answer.json()) as any).choices?.[0].message.content;
  },
});`;

describe('a normalize that cannot be used', () => {
  const problems: readonly (readonly [what: string, normalize: string, error: RegExp])[] = [
    ['returns a promise', 'async (body: any) => body', /^normalize returned a promise/],
    [
      'throws',
      "() => { throw new Error('no messages'); }",
      /^normalize failed: Error: no messages/,
    ],
    [
      'returns what JSON has no form for',
      '() => { const body: any = {}; body.body = body; return body; }',
      /^normalize failed: TypeError: Converting circular structure to JSON/,
    ],
  ];
  for (const [what, normalize, error] of problems) {
    it(`that ${what} makes its result an error, recorded or offline`, async () => {
      let asked = 0;
      const provider = await startFakeProvider((): FakeReply => {
        asked += 1;
        return { text: 'an answer' };
      });
      const project = new Project({ 'a.eval.ts': evals(normalize) });
      for (const [question, flag] of [
        ['one', '--record'],
        ['two', '--offline'],
      ] as const) {
        const env = { PROVIDER: provider.url, QUESTION: question };
        const { run } = await project.run([flag], { env });
        expect(run.results[0]?.result.error).to.match(error);
      }
      expect(asked).to.equal(0);
      await provider[Symbol.asyncDispose]();
    });
  }
});

describe('an import that makes calls', () => {
  it('fails offline where one of them is not recorded, even if the file catches that', async () => {
    const provider = await startFakeProvider((): FakeReply => ({ text: 'an answer' }));
    const project = new Project({
      'a.eval.ts': `
        import { evaluation } from 'assay';
        const answer = await fetch(process.env.PROVIDER + '/v1/chat/completions', {
          method: 'POST',
          body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: process.env.QUESTION }] }),
        }).then((one) => one.json(), () => undefined);
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
