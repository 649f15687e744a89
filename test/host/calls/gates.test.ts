import { expect } from 'chai';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { type Ended, Project } from '../../helpers/project.js';

const evals = `
import { evaluation } from 'assay';
const ask = (model: string) => fetch(process.env.PROVIDER + '/v1/chat/completions', {
  method: 'POST',
  body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
}).then((response) => response.text());
export const priced = evaluation({ target: () => ask('cheap') });
export const unpriced = evaluation({ target: () => ask('strange') });
export const silent = evaluation({ target: () => 'nothing' });
`;

describe('gates on calls', () => {
  let provider: FakeProvider;
  let project: Project;
  let under: Ended;

  before(async () => {
    provider = await startFakeProvider(({ request }) =>
      request.url === '/ask' ? { raw: '{"ok":true}' } : undefined,
    );
    project = new Project({
      'a.eval.ts': evals,
      'assay.yaml': 'prices:\n  cheap: { input: 1000, output: 1000 }\n',
    });
    const gates = ['--fail-over', 'cost=0.15,tokens=1k', '--fail-on', 'no-calls'];
    under = await gated('a.eval.ts::priced', ...gates, '--bless', 'b.json');
  });

  const gated = (...args: readonly string[]) =>
    project.assay(['run', ...args, '--no-save'], { env: { PROVIDER: provider.url } });

  it('judge what the run cost, and exit with 2 when that is not known', async () => {
    const [over, untold] = await Promise.all([
      gated('a.eval.ts::priced', '--fail-over', 'cost.targets=0.14'),
      gated('a.eval.ts::unpriced', '--fail-over', 'cost=1'),
    ]);
    expect([under.code, over.code, untold.code]).to.deep.equal([0, 1, 2]);
    expect(under.stderr).to.include('✓ tokens 150, at most 1k asked for');
    expect(over.stderr).to.include('✗ cost.targets $0.15 is over $0.14');
    expect(untold.stderr).to.include(
      '? cost ≤ $1.00 cannot be judged: 1 call is not priced: strange; give the price of the model under prices in assay.yaml (exit code 2)\n',
    );
  });

  it('find targets that called no model, and are refused where calls are not seen', async () => {
    const gate = ['--fail-on', 'no-calls'];
    const silent = await gated('a.eval.ts', ...gate);
    expect([under.code, silent.code]).to.deep.equal([0, 1]);
    expect(silent.stderr).to.include('✗ no model was called by the target of a.eval.ts::silent\n');
    const off = await project.assay(['run', ...gate], { env: { ASSAY_CAPTURE: 'off' } });
    expect(off.code).to.equal(2);
    expect(off.stderr).to.include('the setting capture is off');
  });

  it('cannot tell about calls that are not understood, unless their host is said to be none of models', async () => {
    const ask = `fetch(process.env.PROVIDER + '/ask', {
      method: 'POST', body: JSON.stringify({ model: 'odd', message: 'hi' }) })`;
    const files = {
      'a.eval.ts': `import { evaluation } from 'assay';
        export const odd = evaluation({
          target: () => ${ask}.then((response) => response.text()),
          evaluators: [
            ({ calls, modelCalls }) => calls.length === 1 && modelCalls.length === 1,
          ],
        });
        export const limited = evaluation({
          limits: { tokens: 100 },
          target: async () => { for (const _ of [1, 2]) await ${ask}.then((response) => response.text()); },
        });`,
    };
    const { host } = new URL(provider.url);
    const gates = ['--fail-over', 'cost=1,tokens=2k', '--fail-on', 'no-calls', '--max-cost', '5'];
    const env = { PROVIDER: provider.url };
    const odd = new Project(files);
    const { code, stderr } = await odd.assay(['run', 'a.eval.ts::odd', ...gates], { env });
    expect(code, stderr).to.equal(2);
    expect(stderr.match(/! A call to .* is not understood/g)).to.have.length(1);
    for (const gate of ['cost ≤ $1.00', 'tokens ≤ 2k', 'no-calls', 'max-cost $5.00']) {
      expect(stderr).to.include(`? ${gate} cannot be judged: `);
    }
    expect(stderr).to.include(`1 unknown model call to ${host}`);
    const { run } = await odd.run(['a.eval.ts::limited'], { env });
    expect(run.results[0]?.result.error).to.equal(
      `the limit of 100 tokens cannot be kept: a call to ${host} (odd) looks like a model call and is not understood`,
    );
    const none = new Project({ ...files, 'assay.yaml': `not_models: ['127.0.0.1']\n` });
    const known = await none.assay(['run', 'a.eval.ts::odd', ...gates.slice(0, 2)], { env });
    expect(known.stderr).to.include('✓ cost $0.00, at most $1.00 asked for');
    expect(known.code).to.equal(0);
  });

  it('cannot tell tokens of a stream that was not asked for them', async () => {
    const project = new Project({
      'a.eval.ts': `import { evaluation } from 'assay';
        export const streamed = evaluation({
          target: () => fetch(process.env.PROVIDER + '/v1/chat/completions', {
            method: 'POST',
            body: JSON.stringify({ model: 'cheap', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
          }).then((response) => response.text()),
        });`,
    });
    const env = { PROVIDER: provider.url };
    const gate = ['--fail-over', 'tokens=2k', '--no-save'];
    const { code, stdout, stderr } = await project.assay(['run', ...gate], { env });
    expect(code).to.equal(2);
    const text = '1 call reported no tokens: cheap (stream_options.include_usage)';
    expect(stderr).to.include(`? tokens ≤ 2k cannot be judged: ${text}`);
    expect(`${stdout}${stderr}`).to.include(`1 call · ${text}`);
  });

  it('compare with what a baseline file cost', async () => {
    const { code, stdout, stderr } = await gated('a.eval.ts::priced', '--baseline', 'b.json');
    expect(code).to.equal(0);
    expect(`${stdout}${stderr}`).to.match(/cost .*\$0\.15 +in all\n.*\$0\.15 → \$0\.15 \(1\)/);
  });
});
