import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi, closePages, openPage } from '../helpers/browser.js';
import { type FakeProvider, startFakeProvider } from '../helpers/fake-provider.js';
import { removeProjects } from '../helpers/project.js';
import { closeServers, ServedProject } from '../helpers/served-project.js';

/** Case n calls a model once, in the second version 1, 2 or 3 times; the last one also calls a model without price. */
const evals = (url: string) => `
import { evaluation } from 'assay';
const ask = async (model: string) => {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'x' }] });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('${url}/v1/chat/completions', { method: 'POST', body, headers });
  await response.text();
};
const version = Number(process.env.V ?? 1);
export const refund = evaluation({
  cases: Array.from({ length: 24 }, (_, n) => ({ id: 'c' + n, input: n })),
  target: async ({ input }) => {
    if (version === 0) return 'sent back';
    for (let n = 0; n <= (version === 2 ? input % 3 : 0); n += 1) await ask('gpt-5-mini');
    if (input === 23) await ask('tiny-judge');
    return 'sent back';
  },
  evaluators: [function exact({ output }) { return output === 'sent back'; }],
});
`;

describe('the comparison of what calls used', function () {
  this.timeout(60_000);
  let served: ServedProject;
  let provider: FakeProvider;
  const ids: string[] = [];
  let faults: readonly string[] = [];

  const compare = async (...versions: readonly number[]): Promise<Page> => {
    const opened = await openPage();
    faults = opened.faults;
    const query = versions.map((version) => `run=${ids[version]}`).join('&');
    await opened.page.goto(`${served.url}/compare?${query}`);
    await opened.page.getByRole('table', { name: 'Latency by run' }).waitFor();
    return opened.page;
  };
  const texts = (page: Page, name: string) =>
    page.getByRole(`table`, { name }).getByRole('row').allInnerTexts();
  const words = (text: string) => text.replace(/\s+/g, ' ').trim();

  before(async () => {
    provider = await startFakeProvider();
    served = await ServedProject.start({ 'a.eval.ts': evals(provider.url) }, { ui: builtUi });
    for (const V of ['0', '1', '2', '0']) {
      const args = ['a.eval.ts', '--run-name', `v${ids.length}`];
      ids.push((await served.project.run(args, { env: { V } })).run.run_id);
    }
  });
  afterEach(async () => {
    await closePages();
    expect(faults).to.deep.equal([]);
  });
  after(async () => {
    await closeServers();
    await provider[Symbol.asyncDispose]();
    removeProjects();
  });

  it('has totals by run, differences with intervals, and says what is left out, as the command line', async () => {
    const page = await compare(1, 2);
    const [head, base, other] = (await texts(page, 'Usage by run')).map(words);
    expect(head).to.equal('run whole run cost tokens calls');
    expect(base).to.match(/^A ≥ \$0\.\d+ 3\.8k 25$/);
    expect(other).to.match(/^B ≥ \$0\.\d+ 7\.3k 49$/);
    const summary = words(await page.getByRole('region', { name: 'Summary' }).innerText());
    const cost = /Cost (\+\$\S+): (\$\S+ → \$\S+) over 23 pairs \((\+\$\S+ to \+\$\S+)\)\./.exec(
      summary,
    );
    expect(cost, summary).not.to.equal(null);
    expect(summary).to.include('Calls +1: 1.04 → 2.04 over 24 pairs (+.648 to +1.35).');
    expect(summary).to.include('Cost is compared without 1 case with calls not priced.');
    expect(summary).to.include('Latency, cost, tokens and calls get no verdict');

    await page.getByRole('button', { name: 'All differences' }).click();
    const line = page.getByRole('dialog').getByRole('row').filter({ hasText: /^cost/ });
    const cells = await line.getByRole('cell').allInnerTexts();
    expect(`${cells[0]} → ${cells[1]}`).to.equal(cost?.[2]);
    expect(cells.slice(2)).to.deep.equal([cost?.[1], cost?.[3], '23', '', '', 'no verdict']);

    const { stdout } = await served.project.assay(['compare', 'v1', 'v2']);
    expect(words(stdout)).to.include(`${cost?.[2]} (23) ${cost?.[1]} ${cost?.[3]}`);
    expect(words(stdout)).to.include('cost is compared without 1 case with calls not priced');
  });

  it('is not there without calls, and without a difference when one run has none', async () => {
    const page = await compare(0, 2);
    expect((await texts(page, 'Usage by run')).map(words)[1]).to.equal('A – – –');
    const summary = page.getByRole('region', { name: 'Summary' });
    expect(await summary.innerText()).not.to.include('Cost ');
    const without = await compare(0, 3);
    expect(await without.getByRole('table', { name: 'Usage by run' }).count()).to.equal(0);
    const { stdout } = await served.project.assay(['compare', 'v0', 'v3']);
    expect(stdout).to.match(/exact/);
    expect(stdout).not.to.match(/cost|tokens|calls/);
  });
});
