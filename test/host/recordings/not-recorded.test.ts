import { expect } from 'chai';
import { startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';

describe('requests whose answers are not recorded', () => {
  it('are counted at the end of a run that records, except those that were repeated with success', async () => {
    let asked = 0;
    const provider = await startFakeProvider(() => {
      asked += 1;
      return asked % 2 === 1 ? { status: 500, text: 'busy' } : { text: 'an answer' };
    });
    const project = new Project({
      'a.eval.ts': `
        import { evaluation } from 'assay';
        const ask = () => fetch(process.env.PROVIDER + '/v1/chat/completions', {
          method: 'POST',
          body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
        }).then((one) => one.text());
        export const once = evaluation({ target: async () => { await ask(); } });
        export const again = evaluation({ target: async () => { await ask(); await ask(); } });`,
    });
    const env = { PROVIDER: provider.url };
    const failed = await project.assay(['run', 'a.eval.ts::once', '--record'], { env });
    expect(failed.stderr).to.contain(
      '1 request was not recorded: its answer failed, broke off or holds an error. --offline will refuse it.',
    );
    asked = 0;
    const repeated = await project.assay(['run', 'a.eval.ts::again', '--record'], { env });
    expect(repeated.stderr).not.to.contain('not recorded');
    await provider[Symbol.asyncDispose]();
  });
});
