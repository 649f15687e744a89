import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi } from '../helpers/browser.js';
import { type FakeProvider, startFakeProvider } from '../helpers/fake-provider.js';
import { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import { goWithin, untilShown } from './screen.js';

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
  this.timeout(120_000);
  let served: ServedProject;
  let provider: FakeProvider;
  const ids: string[] = [];
  const kept = keepPage(() => served.url);

  const compare = async (...versions: readonly number[]): Promise<Page> => {
    const query = versions.map((version) => `run=${ids[version]}`).join('&');
    const page = await kept.open(`/compare?${query}`);
    await page.getByRole('table', { name: 'Latency by run' }).waitFor();
    return page;
  };
  const texts = (page: Page, name: string) =>
    page.getByRole(`table`, { name }).getByRole('row').allInnerTexts();
  const words = (text: string) => text.replace(/\s+/g, ' ').trim();

  before(async () => {
    provider = await startFakeProvider();
    served = await ServedProject.start({ 'a.eval.ts': evals(provider.url) }, { ui: builtUi });
    for (const [V, ...recording] of [['0'], ['1'], ['2', '--record'], ['2', '--offline']]) {
      const args = ['a.eval.ts', '--run-name', `v${ids.length}`, ...recording];
      ids.push((await served.project.run(args, { env: { V: String(V) } })).run.run_id);
    }
  });

  it('has totals by run, differences with intervals, and says what is left out', async () => {
    const page = await compare(1, 2);
    const [head, base, other] = (await texts(page, 'Usage by run')).map(words);
    expect(head).to.equal('run whole run cost model tokens calls');
    expect(base).to.match(/^A ≥ \$0\.\d+ 3\.8k 25$/);
    expect(other).to.match(/^B ≥ \$0\.\d+ 7\.3k 49$/);
    const summary = words(await page.getByRole('region', { name: 'Summary' }).innerText());
    expect(summary).to.match(/ost \+\$\S+, model tokens \+150, calls \+1, without a verdict\./);

    await page.getByRole('button', { name: 'All differences' }).click();
    const dialog = page.getByRole('dialog');
    const cellsOf = (name: RegExp) =>
      dialog.getByRole('row').filter({ hasText: name }).getByRole('cell').allInnerTexts();
    await dialog
      .getByRole('row')
      .filter({ hasText: /^calls/ })
      .waitFor();
    expect((await cellsOf(/^calls/)).slice(0, 5)).to.deep.equal([
      '+1',
      '+0.648 to +1.352',
      '1.042',
      '2.042',
      '24',
    ]);
    expect((await cellsOf(/^cost/)).slice(4)).to.deep.equal(['23', '', '', 'no verdict']);
    await dialog.getByText('Cost is compared without 1 case with calls of unknown cost.').waitFor();
    await dialog.getByText('Latency, cost, model tokens and calls get no verdict').waitFor();
    await page.keyboard.press('Escape');

    // By the increase: two more calls first, then one, and what is not known last.
    await page.getByRole('columnheader', { name: 'cost' }).getByRole('button').click();
    await page.waitForURL(/sort=cost&order=desc/);
    const first = page.locator('[role=rowgroup] > [role=row]').first();
    await first.getByText('[c2]', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^by cost/ }).click();
    await page.getByRole('menuitem', { name: 'calls' }).click();
    await page.waitForURL(/sort=calls&order=desc/);
  });

  it('has no difference when one run has none', async () => {
    const page = await compare(0, 2);
    expect((await texts(page, 'Usage by run')).map(words)[1]).to.equal('A – – –');
    const summary = page.getByRole('region', { name: 'Summary' });
    expect(await summary.innerText()).not.to.include('Cost ');
  });

  it('is folded where it is narrow, until it is opened', async () => {
    const page = await compare(0, 1, 2);
    await page.setViewportSize({ width: 400, height: 900 });
    const fold = page.getByRole('button', { name: /^Scores, changes, latency/ });
    expect(await fold.getAttribute('aria-expanded')).to.equal('false');
    const first = page.locator('[role=rowgroup] > [role=row]').first();
    expect((await first.boundingBox())?.y).to.be.below(560);
    await fold.click();
    await page.reload();
    await page.getByRole('table', { name: 'Usage by run' }).waitFor();
    await fold.click();
  });

  it('says what was replayed: no latency, cost in brackets; and filters by cost', async () => {
    const page = await compare(2, 3);
    expect(words((await texts(page, 'Latency by run'))[2] ?? '')).to.equal('B replayed – –');
    expect(words((await texts(page, 'Usage by run'))[2] ?? '')).to.match(
      /^B \$0\.00 \(≥ \$0\.\d+\) \(7\.3k\) 0 \(49\)$/,
    );
    const side = page.locator('[role=rowgroup] > [role=row]').first().getByRole('gridcell').last();
    expect(words(await side.innerText())).to.match(/replayed same output as A$/);

    await goWithin(page, `/?run=${ids[3]}`);
    const row = page.getByRole('row').filter({ hasText: 'c2' }).first();
    await row.getByText('replayed').waitFor();
    expect(await row.locator('[data-cell=cost]').innerText()).to.match(/^\(0\.\d+\)$/);
    const replayed = page.getByRole('button', { name: /^\(\d+ replayed: 49 calls, ≥ \$0\.\d+\)$/ });
    await replayed.click();
    await page.waitForURL(/cost=replayed/);
    await untilShown(page, '24 of 24');

    await goWithin(page, `/?run=${ids[2]}`);
    await untilShown(page, '24 of 24');
    await page.keyboard.press('f');
    const panel = page.getByRole('dialog', { name: 'Filters' });
    const from = panel.getByRole('textbox', { name: 'Cost from' });
    await from.fill('-1');
    await page.keyboard.press('Enter');
    expect(await from.getAttribute('aria-invalid')).to.equal('true');
    await from.fill('0.0001');
    await page.keyboard.press('Enter');
    await page.waitForURL(/cost=0\.0001\.\./);
    await untilShown(page, '16 of 24');
    await panel.getByRole('textbox', { name: 'Cost below' }).fill('0.0002');
    await page.keyboard.press('Enter');
    await untilShown(page, '8 of 24');
    await panel.getByRole('button', { name: 'not priced' }).click();
    await page.waitForURL(/cost=unknown/);
    await untilShown(page, '9 of 24');
  });
});
