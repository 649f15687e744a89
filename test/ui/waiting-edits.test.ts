import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { ServedProject } from '../helpers/served-project.js';
import { findings } from './findings.js';
import { keepPage } from './kept-page.js';
import { part, serveOrders } from './result-project.js';
import { eventually } from './screen.js';

describe('edits without a connection', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let run: string;
  before(async () => {
    served = await serveOrders();
    run = (await served.runAll()).run_id;
  });
  const kept = keepPage(() => served.url);

  const show = async (index: number): Promise<Page> => {
    const page = await kept.open(`/runs/${run}/results/${index}`);
    await part(page, 'Scores').waitFor();
    return page;
  };
  const stored = async (index: number) =>
    (await served.get(`/api/runs/${run}/results/${index}`)).body.result.result;
  /** Edits fail while this is on; the rest of the page has its connection, and reads again. */
  const cut = (page: Page) =>
    page.route('**/api/runs/*/results/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
  const mend = (page: Page) => page.unroute('**/api/runs/*/results/*');
  const annotate = async (page: Page, text: string): Promise<void> => {
    await page.getByRole('button', { name: 'Edit annotation' }).click();
    await page.getByRole('textbox', { name: 'Annotation' }).fill(text);
    await page.keyboard.press('Control+Enter');
  };
  const status = (page: Page, text: string) =>
    page.getByRole('status').getByText(text, { exact: false }).first();

  it('wait and are counted, over a reload, and are sent in order', async () => {
    const page = await show(0);
    await cut(page);
    await annotate(page, 'first thought');
    await status(page, '1 edit waits for the connection.').waitFor();
    await part(page, 'Annotation').getByText('waits for the connection').waitFor();
    await page.getByRole('button', { name: 'Edit correct' }).click();
    await page.getByLabel('notes').fill('by hand, without a connection');
    await page.keyboard.press('Control+Enter');
    await status(page, '2 edits wait for the connection.').waitFor();
    await part(page, 'Annotation').getByText('first thought').waitFor();
    await part(page, 'Scores').getByText('by hand, without a connection').waitFor();
    expect(await findings(page)).to.deep.equal([]);
    await annotate(page, 'second thought');
    await status(page, '3 edits wait for the connection.').waitFor();
    await page.reload();
    await status(page, '3 edits wait for the connection.').waitFor();
    // Whatever the server says, the page shows what was written.
    await part(page, 'Annotation').getByText('second thought').waitFor();
    await part(page, 'Scores').getByText('by hand, without a connection').waitFor();
    expect((await stored(0)).annotation).to.equal('');
    await mend(page);
    await status(page, '3 edits saved.').waitFor();
    const { annotation, scores, correction_history: history } = await stored(0);
    expect(annotation).to.equal('second thought');
    expect(scores[0]).to.include({ notes: 'by hand, without a connection', source: 'human' });
    expect(history.map(({ field }: { field: string }) => field)).to.deep.equal([
      'annotation',
      'scores',
      'annotation',
    ]);
    await part(page, 'Annotation').getByText('second thought').waitFor();
    expect(await page.getByText(/for the connection/).count()).to.equal(0);
  });

  it('are shown with what was written if the result was changed elsewhere meanwhile', async () => {
    const page = await show(1);
    await cut(page);
    await annotate(page, 'mine');
    await status(page, '1 edit waits for the connection.').waitFor();
    await served.patch(`/api/runs/${run}/results/1`, { result: { annotation: 'theirs' } });
    await page.goto(`${served.url}/?run=${run}`);
    await mend(page);
    const refused = status(
      page,
      '1 edit was not saved. The result was changed elsewhere meanwhile.',
    );
    await refused.waitFor();
    expect((await stored(1)).annotation).to.equal('theirs');
    await page.getByRole('link', { name: 'Open the result' }).press('Enter');
    const field = page.getByRole('textbox', { name: 'Annotation' });
    await field.waitFor();
    expect(await field.inputValue()).to.equal('mine');
    await part(page, 'Annotation').getByRole('button', { name: 'Overwrite it' }).click();
    await eventually(
      async () => (await stored(1)).annotation,
      (now) => now === 'mine',
      'my text',
    );
    await refused.waitFor({ state: 'detached' });
  });

  it('are saved once if only the answer was lost', async () => {
    const page = await show(2);
    await page.route('**/api/runs/*/results/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      await route.fetch();
      return route.abort();
    });
    await annotate(page, 'once');
    await status(page, '1 edit waits for the connection.').waitFor();
    await mend(page);
    await status(page, '1 edit saved.').waitFor();
    expect((await stored(2)).annotation).to.equal('once');
    expect((await stored(2)).correction_history).to.have.length(1);
  });
});
