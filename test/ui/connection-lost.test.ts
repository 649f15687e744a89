import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { rowOf } from './screen.js';
import { servePages } from './served-pages.js';
import { serveMany } from './table-project.js';

describe('a page without a connection', function () {
  this.timeout(120_000);
  const pages = servePages(serveMany, 'test');
  const lost = () => pages.page.getByText(/^No connection for/).waitFor();
  const button = (name: string | RegExp) =>
    pages.page.getByRole('button', { name, exact: typeof name === 'string' });
  const states = async (parts: readonly Locator[]) =>
    await Promise.all(parts.map((part) => part.isDisabled()));

  it('disables what needs the server in its place', async () => {
    const page = await pages.open();
    await rowOf(page, 'answer[case_1]').getByRole('checkbox').click();
    await page.getByRole('toolbar', { name: 'Selected results' }).waitFor();
    const needing = [
      button('Rename run'),
      button(/^Regrade/),
      button(/^Rerun/),
      button('More ways to run'),
      button(/^Select all/),
    ].map((part) => part.first());
    const free = [button(/^Annotate/), button('Set score'), button('Columns'), button(/^Filter f/)];
    const places = () => Promise.all(needing.map(async (part) => (await part.boundingBox())?.x));
    expect(await states(needing)).not.to.include(true);
    const before = await places();
    const items = page.getByRole('menuitem');
    // Loaded as long as the server is there.
    await button('Export').click();
    await items.first().waitFor();
    await page.keyboard.press('Escape');
    await items.first().waitFor({ state: 'detached' });
    await needing[0]?.focus();
    await pages.served.close();
    await lost();
    expect(await states(needing)).not.to.include(false);
    expect(await states(free)).not.to.include(true);
    expect(await places()).to.deep.equal(before);
    // What has the focus keeps it.
    expect(await page.evaluate('document.activeElement.ariaLabel')).to.equal('Rename run');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('dialog').count()).to.equal(0);
    await button('Export').click();
    const off = items.and(page.locator('[aria-disabled=true]'));
    await items.first().waitFor();
    expect(await off.count()).to.equal(5);
    expect(await items.count()).to.equal(5);
  });

  it('disables the actions of a result, and keeps what is written', async () => {
    const page = await pages.open();
    await rowOf(page, 'answer[case_1]').getByRole('link').click();
    await button('Edit annotation').waitFor();
    await pages.served.close();
    await lost();
    const actions = page.getByRole('banner').getByRole('button', { name: /^(Regrade|Rerun)$/ });
    expect(await states(await actions.all())).to.deep.equal([true, true]);
    await button('Edit annotation').click();
    const annotation = page.getByRole('textbox', { name: 'Annotation' });
    await annotation.fill('looked at');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Your text is kept: save it again').waitFor();
    expect(await annotation.inputValue()).to.equal('looked at');
  });
});
