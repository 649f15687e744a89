import { expect } from 'chai';
import { builtUi, openPage } from '../helpers/browser.js';
import { openGate, serveGated } from '../server/states/gated-project.js';

describe('a run that is stopped', function () {
  this.timeout(120_000);
  it('asks when more than a minute of work would be lost, and offers the rest afterwards', async () => {
    const served = await serveGated({ cases: ['a', 'b', 'c'], ui: builtUi });
    openGate(served, 'a');
    const { page } = await openPage();
    await page.clock.install();
    await page.goto(served.url);
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    await button('Run 3').click();
    await button('Stop').waitFor();
    await page.getByText('1 / 3').waitFor();
    // Work of moments is not asked about.
    await button('Stop').click();
    await button('Run the remaining 2').waitFor();

    await button('Run the remaining 2').click();
    await button('Stop').waitFor();
    await page.getByText('0 / 2').waitFor();
    await page.clock.fastForward('05:00');
    await button('Stop').click();
    const question = page.getByRole('alertdialog', { name: /^Stop / });
    await question.getByText(/^2 results in progress would be lost, about \d+:\d\d/).waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Stop');
    expect((await served.active()).state).to.equal('running');
    await button('Stop').click();
    await question.getByRole('button', { name: 'Stop run' }).press('Enter');
    await button('Run the remaining 2').waitFor();
    expect(
      await page.evaluate('document.activeElement.closest("[role=group]").ariaLabel'),
    ).to.equal('Controls of the run');
    await button('More ways to run').click();
    const all = page.getByRole('menuitem', { name: 'Rerun all 3' });
    await all.waitFor();
    expect(await all.locator('kbd').count()).to.equal(0);
    await page.keyboard.press('Escape');
    await all.waitFor({ state: 'detached' });
    openGate(served);
    // The key does what the button says.
    await page.keyboard.press('r');
    await button('Rerun').waitFor();
    expect((await served.active()).selected_total).to.equal(2);
    const { results } = await served.active();
    expect(
      results.map(({ result }: { result: { status: string } }) => result.status),
    ).to.deep.equal(['completed', 'completed', 'completed']);
  });
});
