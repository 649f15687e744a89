import { expect } from 'chai';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { type JsonRun, Project } from '../../helpers/project.js';

const head = `
import { evaluation } from 'assay';
const post = (path: string, body: object) => fetch(process.env.PROVIDER + path, {
  method: 'POST', body: JSON.stringify(body),
}).then((response) => response.text());
const ask = (model: string, more = {}) =>
  post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'hi' }], ...more });
const askOddly = () => post('/ask', { model: 'odd', message: 'hi' });
`;

const evals = `${head}
export const priced = evaluation({ target: () => ask('cheap') });
export const unpriced = evaluation({ target: () => ask('strange') });
export const silent = evaluation({ target: () => 'nothing' });
export const streamed = evaluation({ target: () => ask('cheap', { stream: true }) });
export const limited = evaluation({
  limits: { tokens: 100 },
  target: async () => { for (const _ of [1, 2]) await askOddly(); },
});
`;

const odd = `${head}
export const odd = evaluation({
  target: askOddly,
  evaluators: [({ calls, modelCalls }) => calls.length === 1 && modelCalls.length === 1],
});
`;

describe('gates on calls', () => {
  let provider: FakeProvider;
  let project: Project;
  let ended: JsonRun;
  const env = () => ({ PROVIDER: provider.url });

  before(async () => {
    provider = await startFakeProvider(({ request }) =>
      request.url === '/ask' ? { raw: '{"ok":true}' } : undefined,
    );
    project = new Project({
      'a.eval.ts': evals,
      // Of 120 tokens in, 100 are cached; 30 come out: $0.15.
      'assay.yaml': 'prices:\n  cheap: { input: 2000, cached: 500, output: 2000 }\n',
    });
    ended = await project.run([], { env: env() });
  });

  const gated = (name: string, ...gates: readonly string[]) =>
    project.assay(['sessions', 'gate', 'latest', `a.eval.ts::${name}`, ...gates]);

  it('judge what calls cost by the prices of the settings, and say which list priced the others', async () => {
    expect(ended.result('priced').usage).to.deep.include({ calls: 1, cost: 0.15 });
    expect(ended.result('unpriced').usage).to.deep.include({ cost: null, unpriced: 1 });
    expect(ended.run.prices).to.match(/^@pydantic\/genai-prices \d/);
    expect((await project.exported()).run.prices).to.equal(ended.run.prices);
  });

  for (const [name, gates, code, texts] of [
    [
      'priced',
      ['--fail-over', 'cost=0.15,tokens=1k', '--fail-on', 'no-calls', '--bless', 'b.json'],
      0,
      [/✓ tokens 150, at most 1k asked for/],
    ],
    [
      'priced',
      ['--fail-over', 'cost.targets=0.14'],
      1,
      [/✗ cost\.targets \$0\.15 is over \$0\.14/],
    ],
    [
      'unpriced',
      ['--fail-over', 'cost=1'],
      2,
      [
        /\? cost ≤ \$1\.00 cannot be judged: 1 call is not priced: strange; give the price of the model under prices in assay\.yaml \(exit code 2\)\n/,
      ],
    ],
    [
      'silent',
      ['--fail-on', 'no-calls'],
      1,
      [/✗ no model was called by the target of a\.eval\.ts::silent\n/],
    ],
    [
      'streamed',
      ['--fail-over', 'tokens=2k'],
      2,
      [
        /\? tokens ≤ 2k cannot be judged: 1 call reported no tokens: cheap \(stream_options\.include_usage\)/,
      ],
    ],
    ['priced', ['--baseline', 'b.json'], 0, [/cost .*\$0\.15 +in all\n.*\$0\.15 +in all/]],
  ] as const) {
    it(`end with ${code} for ${name} and ${gates.join(' ')}`, async () => {
      const said = await gated(name, ...gates);
      expect(said.code, said.stderr).to.equal(code);
      for (const text of texts) expect(`${said.stdout}${said.stderr}`).to.match(text);
    });
  }

  it('are refused where calls are not seen', async () => {
    const flags = ['run', '--fail-on', 'no-calls'];
    const off = await project.assay(flags, { env: { ASSAY_CAPTURE: 'off' } });
    expect(off.code).to.equal(2);
    expect(off.stderr).to.include('the setting capture is off');
  });

  it('cannot tell about calls that are not understood, unless their host is said to be none of models', async () => {
    const { host } = new URL(provider.url);
    expect(ended.result('limited').error).to.equal(
      `the limit of 100 tokens cannot be kept: a call to ${host} (odd) looks like a model call and is not understood`,
    );
    const gates = ['--fail-over', 'cost=1,tokens=2k', '--fail-on', 'no-calls', '--max-cost', '5'];
    const unknown = new Project({ 'a.eval.ts': odd });
    const { code, stderr } = await unknown.assay(['run', ...gates], { env: env() });
    expect(code, stderr).to.equal(2);
    expect(stderr.match(/! A call to .* is not understood/g)).to.have.length(1);
    for (const gate of ['cost ≤ $1.00', 'tokens ≤ 2k', 'no-calls', 'max-cost $5.00']) {
      expect(stderr).to.include(`? ${gate} cannot be judged: `);
    }
    expect(stderr).to.include(`1 unknown model call to ${host}`);
    unknown.write('assay.yaml', `not_models: ['127.0.0.1']\n`);
    const known = await unknown.assay(['run', ...gates.slice(0, 2)], { env: env() });
    expect(known.stderr).to.include('✓ cost $0.00, at most $1.00 asked for');
    expect(known.code).to.equal(0);
  });
});
