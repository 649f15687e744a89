import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { startFakeProvider } from '../helpers/fake-provider.js';
import { Project } from '../helpers/project.js';

describe('bodies of 50 MB in runs that record', () => {
  it('say that they are not recorded, and nothing is lost', async () => {
    const long = 50_000_000;
    await using provider = await startFakeProvider(({ model }) =>
      model === 'large' ? { text: 'y'.repeat(long) } : {},
    );
    const env = { PROVIDER: provider.url };
    const project = new Project({
      'a.eval.ts': `
        import { evaluation } from 'assay';
        const post = (body: string) => fetch(process.env.PROVIDER + '/v1/chat/completions', { method: 'POST', body });
        const said = async (response: Promise<Response>) => {
          const answer = (await (await response).json()) as any;
          return answer.choices?.[0].message.content.length ?? answer.error.message;
        };
        export const asked = evaluation({ target: () => said(post(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(${long}) }] }))) });
        export const answered = evaluation({ target: () => said(post(JSON.stringify({ model: 'large', messages: [] }))) });`,
    });
    const recorded = await project.run(['--record'], { env });
    expect(recorded.result('asked').output).to.be.a('number');
    expect(recorded.result('answered').output).to.equal(long);
    expect(recorded.stderr).to.match(/an answer of .* was not recorded: it has more than 16 MiB/);
    expect(recorded.stderr).to.match(/a request to .* was not recorded: it has more than 16 MiB/);
    expect(existsSync(project.path('.assay/recordings'))).to.equal(false);
    const before = provider.exchanges.length;
    const offline = await project.run(['--offline'], { env });
    expect(offline.result('asked').error).to.match(/^not recorded: .*, with more than 16 MiB/);
    expect(offline.result('answered').error).to.include('not recorded: ');
    expect(provider.exchanges).to.have.length(before);
  });
});
