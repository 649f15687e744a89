import { expect } from 'chai';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';

const asks = `
import { evaluation } from 'assay';
export const asks = evaluation({
  target: async () => {
    await fetch(process.env.PROVIDER + '/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({ model: 'my-model', messages: [{ role: 'user', content: 'hi' }] }),
    }).then((response) => response.text());
  },
});
`;

describe('prices of the settings file', () => {
  let provider: FakeProvider;

  before(async () => {
    // 120 tokens in, 100 of them cached, 30 out.
    provider = await startFakeProvider();
  });

  it('price models that no list knows; the run says which list priced it', async () => {
    const project = new Project({ 'a.eval.ts': asks });
    const env = { PROVIDER: provider.url };
    const { run: before } = await project.run([], { env });
    expect(before.usage).to.deep.include({ cost: null, unpriced: 1 });
    project.write(
      'assay.yaml',
      'prices:\n  my-model: { input: 1000, cached: 100, output: 2000 }\n',
    );
    const { run } = await project.run([], { env });
    expect(run.usage).to.deep.include({ calls: 1, cost: 0.09 });
    expect(run.prices).to.match(/^@pydantic\/genai-prices \d/);
    const { stdout } = await project.assay(['export', 'latest']);
    expect(JSON.parse(stdout)).to.have.property('prices', run.prices);
  });
});
