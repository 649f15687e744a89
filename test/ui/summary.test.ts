import { expect } from 'chai';
import { serveKept } from './kept-page.js';
import { runNamed, serveRealWorld } from './real-world-project.js';
import { showColumns, tabTo, untilShown } from './screen.js';

describe('the summary of the dashboard', function () {
  this.timeout(120_000);
  let run: string;
  const at = serveKept(async () => {
    const served = await serveRealWorld();
    run = await runNamed(served, 'brisk-otter');
    return served;
  });
  const words = (text: string) => text.replace(/\s+/g, ' ').trim();

  it('is one line while columns have the scores, unless it was opened', async () => {
    const page = await at.open(`/?run=${run}`);
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
    // For the next test.
    await page.evaluate('localStorage.clear()');
    await page.reload();
  });

  it('filters by bars of the histogram, which the keyboard goes through', async () => {
    const page = await at.open(`/?run=${run}`, { width: 768 });
    const bars = page.getByRole('group', { name: /^Latency of/ }).getByRole('button');
    await bars.first().focus();
    await page.keyboard.press('End');
    const last = bars.last();
    expect(await last.and(page.locator(':focus')).count()).to.equal(1);
    const said = /: ([\d,]+) results?$/.exec((await last.getAttribute('aria-label')) ?? '')?.[1];
    await page.keyboard.press('Enter');
    await untilShown(page, `${said} of 28`);
  });

  it('speaks of what is done while a run goes on', async () => {
    at.served.project.write('hold', '');
    const page = await at.open(`/?run=${run}`);
    const summary = page.getByRole('region', { name: 'Summary of the filtered results' });
    await summary.getByText(/^28 results,/).waitFor();
    await page.getByRole('banner').getByRole('button', { name: 'Rerun', exact: true }).click();
    await summary.getByText('4 to go').waitFor();
    await summary.getByText('passed so far').waitFor();
    await summary.getByText(/^24 of 28 results/).waitFor();
    at.served.project.remove('hold');
    await summary.getByText(/^28 results,/).waitFor();
    expect(await summary.getByText(/to go|so far/).count()).to.equal(0);
  });
});
