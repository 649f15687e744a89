import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { fewOf, times } from '../helpers/rounds.js';
import type { ServedProject } from '../helpers/served-project.js';
import { findings } from './findings.js';
import { keepPage } from './kept-page.js';
import { type LookOptions, looksWell } from './looks.js';
import { misfits } from './misfits.js';
import { runNamed, serveRealWorld } from './real-world-project.js';
import { orders, part } from './result-project.js';

/** Where results are in a run: those of `orders` come after those of the real world. */
const at = { first: 0, error: 8, corrected: 19, picture: 21, long: 22 };

// Each state at several widths, and for axe.
describe('results and comparisons fit and are for everybody', function () {
  this.timeout(120_000 * times(1));
  let served: ServedProject;
  let page: Page;
  let runs: readonly string[];

  const kept = keepPage(() => served.url);
  const go = async (path: string) => {
    page = await kept.open(path);
  };
  const heading = (name: string | RegExp) => page.getByRole('heading', { name }).waitFor();
  const look = (what: string, options?: LookOptions) => looksWell(page, what, options);
  const show = async (index: number) => {
    await go(`/runs/${runs[1]}/results/${index}`);
    await part(page, 'Scores').waitFor();
  };

  before(async () => {
    served = await serveRealWorld({ 'orders.eval.ts': orders }, 8);
    const name = 'nightly-regression-of-the-support-agent-2026-11-2';
    runs = [
      await runNamed(served, 'brisk-otter'),
      await runNamed(served, `${name}2`, 'careful-prompt-with-examples-v14'),
      await runNamed(served, `${name}3`),
    ];
    await served.patch(`/api/runs/${runs[1]}/results/${at.corrected}`, {
      result: { annotation: 'why', scores: [{ key: 'correct', passed: true }] },
    });
  });

  it('a result, and its editors', async () => {
    await show(at.first);
    await look('result', { inEach: true });
    const scores = part(page, 'Scores');
    await scores
      .getByRole('button', { name: /^Edit / })
      .first()
      .click();
    await scores.getByRole('form').waitFor();
    // There is room for the editor only where it is beside the values.
    await look('an edited score', { at: [901], widths: [1440], selector: 'aside' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('a');
    await page.getByRole('textbox', { name: 'Annotation' }).waitFor();
    await look('an edited annotation', { at: [901], widths: [1440], selector: 'aside' });
  });

  it('results with differences and a history, an error, a picture, long values, and none', async () => {
    await show(at.corrected);
    await part(page, 'Correction history').waitFor();
    await page.keyboard.press('d');
    await page.locator('mark').first().waitFor();
    await look('differences', { inEach: true });
    await page.keyboard.press('d');
    for (const what of ['error', 'picture', 'long'] as const) {
      await show(at[what]);
      await look(what);
    }
    await page.setViewportSize({ width: 768, height: 900 });
    await page.evaluate('scrollTo(0, 1200)');
    await page.getByRole('button', { name: /go to a section$/ }).click();
    await page.getByRole('menuitem', { name: 'Output' }).waitFor();
    // It closes when the window gets another size.
    expect(await misfits(page)).to.deep.equal([]);
    expect(await findings(page, { widths: [768], selector: '[role=menu]' })).to.deep.equal([]);
    await go(`/runs/${runs[1]}/results/4000`);
    await heading(/^No result 4000/);
    await look('no such result');
  });

  it('a comparison, its pairs, its figures, and what opens', async () => {
    // Few pairs: each is drawn anew at each width.
    await go(`/compare?${runs.map((run) => `run=${run}`).join('&')}&search=invoice_billing`);
    await page.locator('[role=rowgroup] > [role=row]').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press(' ');
    await page.locator('[role=row][aria-expanded=true]').waitFor();
    await look('an opened pair', { inEach: true });
    const dialog = page.getByRole('dialog');
    const selector = '[role=dialog]';
    for (const name of fewOf(['All differences', 'Add run'], 1)) {
      await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
      await dialog.waitFor();
      await look(name, { selector });
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    await page.setViewportSize({ width: 768, height: 800 });
    await page.getByRole('button', { name: /^Scores, changes, latency/ }).click();
    await look('figures', { at: fewOf([641, 400, 1024], 1), widths: [768] });
    await go(`/compare?run=${runs[0]}`);
    await page.getByRole('option').first().waitFor();
    await look('compare with what');
    await go(`/compare?run=${runs[0]}&run=000000000000`);
    await heading('No run 000000000000');
    await look('compare with a run that is gone');
  });
});
