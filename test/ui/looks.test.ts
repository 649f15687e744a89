import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { times } from '../helpers/rounds.js';
import type { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import { type LookOptions, layouts, looksWell } from './looks.js';
import { longNamed, runNamed, serveRealWorld } from './real-world-project.js';
import { part } from './result-project.js';
import { rowOf, showColumns, tabTo, untilShown } from './screen.js';

// One page of each kind; test/long/looks.test.ts looks at the others.
describe('each kind of page fits and is for everybody', function () {
  this.timeout(120_000 * times(1));
  let served: ServedProject;
  let page: Page;
  let runs: readonly string[];

  const kept = keepPage(() => served.url);
  const go = async (path: string) => {
    page = await kept.open(path);
  };
  /** Looks at what a key opens, and closes it. */
  const lookAtOpen = async (key: string, selector: string, options: LookOptions) => {
    await page.keyboard.press(key);
    await page.locator(selector).waitFor();
    await looksWell(page, selector, { selector, ...options });
    await page.keyboard.press('Escape');
    await page.locator(selector).waitFor({ state: 'detached' });
  };

  before(async () => {
    served = await serveRealWorld({}, 8);
    runs = [await runNamed(served, 'brisk-otter'), await runNamed(served, ...longNamed)];
  });

  it('the dashboard with trials, details and a selection, and what opens over it', async () => {
    await go(`/?run=${runs[1]}&sort=function`);
    await rowOf(page, 'cancel_order[twice]').getByRole('button', { name: 'Open trials' }).click();
    await rowOf(page, '~3').getByRole('checkbox').click();
    await rowOf(page, '~2').getByRole('link').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('agents.eval.ts::cancel_order[twice]~2').waitFor();
    await looksWell(page, 'rows', { inEach: true });
    await lookAtOpen('f', '[role=dialog]', {});
    // A menu closes when the window gets another size.
    await lookAtOpen('e', '[role=menu]', { at: [1440], widths: [1440] });
  });

  it('the dashboard in groups, while a run is in progress', async () => {
    served.project.write('hold', '');
    await go(`/?run=${runs[1]}&by=dataset&folded=support_agent_escalations`);
    await page.locator('[data-line=group]').first().waitFor();
    await served.post('/api/runs/rerun', { run_id: runs[1] });
    await page.getByRole('progressbar').waitFor();
    await looksWell(page, 'running');
    for (const width of layouts) {
      await page.setViewportSize({ width, height: 800 });
      for (const name of ['Pause', 'Stop']) {
        expect(await page.getByRole('button', { name }).innerText()).to.equal(name);
      }
    }
    await served.post('/api/runs/stop');
    served.project.remove('hold');
  });

  it('a result, and its editors', async () => {
    await go(`/runs/${runs[1]}/results/0`);
    await part(page, 'Scores').waitFor();
    await looksWell(page, 'result', { inEach: true });
    const scores = part(page, 'Scores');
    await scores
      .getByRole('button', { name: /^Edit / })
      .first()
      .click();
    await scores.getByRole('form').waitFor();
    // There is room for the editor only where it is beside the values.
    await looksWell(page, 'an edited score', { at: [901], widths: [1440], selector: 'aside' });
  });

  it('a comparison with an opened pair', async () => {
    // Few pairs: each is drawn anew at each width.
    await go(`/compare?run=${runs[0]}&run=${runs[1]}&search=invoice_billing`);
    await page.locator('[role=rowgroup] > [role=row]').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press(' ');
    await page.locator('[role=row][aria-expanded=true]').waitFor();
    await looksWell(page, 'an opened pair', { inEach: true });
    await lookAtOpen('Shift+D', '[role=dialog]', { inEach: true });
    await page.keyboard.press('Shift+D');
    for (const width of [1440, ...layouts]) {
      await page.setViewportSize({ width, height: 900 });
      const hidden = await page.evaluate<readonly string[]>(`(() => {
        const box = document.querySelector('[role=dialog] [role=region]');
        const cells = [...box.querySelectorAll('tbody tr:first-child > :nth-child(-n+4)')];
        const right = Math.min(innerWidth, box.getBoundingClientRect().right);
        const out = cells.filter((cell) => cell.getBoundingClientRect().right > right + 1);
        return [...out.map((cell) => cell.textContent), ...(box.scrollWidth > box.clientWidth ? ['it scrolls sideways'] : [])];
      })()`);
      expect(hidden, `measure, difference, verdict and p at ${width} pixels`).to.deep.equal([]);
    }
  });

  describe('the summary of the dashboard', () => {
    const words = (text: string) => text.replace(/\s+/g, ' ').trim();

    it('filters by bars of the histogram, which the keyboard goes through', async () => {
      await go(`/?run=${runs[0]}`);
      await page.setViewportSize({ width: 768, height: 900 });
      const bars = page.getByRole('group', { name: /^Latency of/ }).getByRole('button');
      await bars.first().focus();
      await page.keyboard.press('End');
      const last = bars.last();
      expect(await last.and(page.locator(':focus')).count()).to.equal(1);
      const said = /: ([\d,]+) results?$/.exec((await last.getAttribute('aria-label')) ?? '')?.[1];
      await page.keyboard.press('Enter');
      await untilShown(page, `${said} of 18`);
    });

    it('speaks of what is done while a run goes on', async () => {
      served.project.write('hold', '');
      await go(`/?run=${runs[0]}`);
      const summary = page.getByRole('region', { name: 'Summary of the filtered results' });
      await summary.getByText(/^18 results,/).waitFor();
      await page.getByRole('banner').getByRole('button', { name: 'Rerun', exact: true }).click();
      await summary.getByText('4 to go').waitFor();
      await summary.getByText('passed so far').waitFor();
      await summary.getByText(/^14 of 18 results/).waitFor();
      served.project.remove('hold');
      await summary.getByText(/^18 results,/).waitFor();
      expect(await summary.getByText(/to go|so far/).count()).to.equal(0);
    });

    it('is one line while columns have the scores, unless it was opened', async () => {
      await go(`/?run=${runs[0]}`);
      const summary = page.getByRole('region', { name: 'Summary of the filtered results' });
      const scores = summary.getByRole('table', { name: 'Scores' });
      await scores.waitFor();
      expect(await summary.getByRole('button', { name: /the summary$/ }).count()).to.equal(0);

      await showColumns(page, ['output', 'score:correctness', 'latency']);
      await page.reload();
      const open = summary.getByRole('button', { name: 'Open the summary' });
      await open.waitFor();
      expect((await summary.boundingBox())?.height).to.equal(44);
      expect(words(await summary.innerText())).to.match(
        /^[\d.]+ % passed [\d.]+–[\d.]+ \d+ passed \d+ failed 1 error 1 flaky p50 .* p95 /,
      );
      await summary.getByRole('button', { name: / failed$/ }).click();
      await page.waitForURL(/status=failed/);

      await tabTo(page, open, 'Shift+Tab');
      await page.keyboard.press('Enter');
      await scores.waitFor();
      const fold = summary.getByRole('button', { name: 'Fold the summary' });
      // The focus stays, so that the same key folds it again.
      expect(await fold.and(page.locator(':focus')).count()).to.equal(1);
      await page.reload();
      await scores.waitFor();
      await page.setViewportSize({ width: 900, height: 900 });
      await fold.waitFor({ state: 'detached' });
      await page.setViewportSize({ width: 1440, height: 900 });
      await fold.click();
      await scores.waitFor({ state: 'detached' });
    });
  });
});
