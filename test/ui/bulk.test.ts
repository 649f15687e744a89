import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type OpenedPage, openPage } from '../helpers/browser.js';
import type { ServedProject } from '../helpers/served-project.js';
import { eventually, rowOf } from './screen.js';
import { serveMany } from './table-project.js';

describe('changes of the selected results', () => {
  let served: ServedProject;
  let opened: OpenedPage;
  let page: Page;

  const bar = () => page.getByRole('toolbar', { name: 'Selected results' });
  const results = async () => (await served.active()).results;
  const annotated = async () =>
    (await results()).filter(
      ({ result }: { result: { annotation: string } }) => result.annotation !== '',
    ).length;

  before(async function () {
    this.timeout(120_000);
    served = await serveMany();
    opened = await openPage();
    page = opened.page;
    await page.goto(`${served.url}/?dataset=tone`);
    await rowOf(page, 'tone[case_0]').waitFor();
  });
  after(() => {
    expect(opened.faults).to.deep.equal([]);
  });

  it('annotate them by key, and take it back', async () => {
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+ArrowDown');
    await bar().getByText('2 selected').waitFor();
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog', { name: 'Annotate 2 results' });
    await dialog.getByRole('textbox', { name: 'Annotation' }).waitFor();
    const apply = dialog.getByRole('button', { name: 'Annotate', exact: true });
    expect(await apply.isDisabled()).to.equal(true);
    await page.keyboard.type('looked at');
    expect(await apply.isDisabled()).to.equal(false);
    await page.keyboard.press('Control+Enter');
    await bar().getByText('Annotated 2 results').waitFor();
    expect(await annotated()).to.equal(2);
    await bar().getByRole('button', { name: 'Undo' }).click();
    await bar().getByText('Annotated 2 results').waitFor({ state: 'detached' });
    expect(await annotated()).to.equal(0);
  });

  it('are counted where the filters or a folded group hide them', async () => {
    const search = page.getByPlaceholder(/^Search/).first();
    await search.fill('case_7');
    await bar().getByText('2 selected, 2 not shown', { exact: true }).waitFor();
    await search.fill('case_0');
    await bar().getByText('2 selected, 1 not shown', { exact: true }).waitFor();
    await search.fill('');
    await bar().getByText('2 selected', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'group none' }).click();
    await page.getByRole('menuitemradio', { name: 'dataset' }).click();
    await page.getByRole('button', { name: 'fold all' }).click();
    await bar().getByText('2 selected, 2 not shown', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'group dataset' }).click();
    await page.getByRole('menuitemradio', { name: 'none' }).click();
    await bar().getByText('2 selected', { exact: true }).waitFor();
  });

  it('keep their input without a connection, to be saved when it is back', async () => {
    const address = /\/api\/runs\/[^/]+\/results$/;
    await page.route(address, (route) => route.abort());
    await page.keyboard.press('a');
    await page
      .getByRole('dialog', { name: 'Annotate 2 results' })
      .getByRole('textbox', { name: 'Annotation' })
      .waitFor();
    await page.keyboard.type('without a connection');
    await page.keyboard.press('Control+Enter');
    const notice = page.getByText('The server does not answer.').first();
    await notice.waitFor();
    expect(await annotated()).to.equal(0);
    await page.unroute(address);
    await page.keyboard.press('Control+Enter');
    await bar().getByText('Annotated 2 results').waitFor();
    expect(await annotated()).to.equal(2);
    await page.getByRole('button', { name: 'Close' }).click();
  });

  it('set and clear a score of all that match', async () => {
    await bar().getByRole('button', { name: 'Select all 40 that match' }).click();
    await bar().getByText('40 selected').waitFor();
    await bar().getByRole('button', { name: 'Set score' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set a score of 40 results' });
    await dialog.getByRole('combobox', { name: 'Key of the score' }).fill('polite');
    await dialog.getByRole('radio', { name: 'failed' }).check();
    await dialog.getByRole('button', { name: 'Set score' }).click();
    await bar().getByText('Set polite of 40 results').waitFor();
    await eventually(
      () => rowOf(page, 'tone[case_0]').innerText(),
      (text) => text.includes('set by hand'),
      'the row',
    );
    await bar().getByRole('button', { name: 'Undo' }).click();
    await bar().getByText('Set polite of').waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await page.keyboard.press('Escape');
    await bar().waitFor({ state: 'detached' });
  });
});
