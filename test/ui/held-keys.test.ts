import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { closePages, openPage } from '../helpers/browser.js';
import type { ServedProject } from '../helpers/served-project.js';
import { eventually, holdBack, rowOf } from './screen.js';
import { serveMany } from './table-project.js';

describe('keys pressed before what they are meant for is there', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let page: Page;
  let faults: readonly string[];

  /** Opens the dashboard, whose requests to an address wait until it is told to let them go. */
  const openWithout = async (address: RegExp): Promise<() => void> => {
    ({ page, faults } = await openPage());
    const letGo = await holdBack(page, address);
    await page.goto(served.url);
    await rowOf(page, 'answer[case_0]').waitFor();
    return letGo;
  };
  const typeSlowlyLoaded = async (letGo: () => void, text: string) => {
    await page.keyboard.press('v');
    await page.keyboard.type(text);
    letGo();
    const name = page.getByRole('dialog', { name: 'Save the view' }).getByRole('textbox');
    await eventually(
      () => name.inputValue(),
      (value) => value === text,
      'the name',
    );
  };

  before(async () => {
    served = await serveMany();
  });
  afterEach(async () => {
    expect(faults).to.deep.equal([]);
    await closePages();
  });

  it('are typed into the dialog that they open', async () => {
    const { run_id } = await served.active();
    await typeSlowlyLoaded(await openWithout(/view-parts|overlay-parts/), 'fresh xj');
    await page.keyboard.press('Escape');
    await typeSlowlyLoaded(await openWithout(/\/api\/views/), 'after');
    expect(await served.active()).to.include({ run_id, state: 'finished' });
    expect(await page.getByRole('dialog').count()).to.equal(1);
  });

  it('open the dialog of the bar that a selection brings', async () => {
    const letGo = await openWithout(/selection-bar/);
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('a');
    await page.keyboard.type('seen');
    letGo();
    const text = page.getByRole('dialog', { name: 'Annotate 1 result' }).getByRole('textbox');
    await eventually(
      () => text.inputValue(),
      (value) => value === 'seen',
      'the annotation',
    );
  });

  it('are forgotten when the part cannot be loaded', async () => {
    const { run_id } = await served.active();
    ({ page, faults } = await openPage());
    await page.route(/view-parts.*\.js/, (route) => route.abort());
    await page.goto(served.url);
    await rowOf(page, 'answer[case_0]').waitFor();
    await page.keyboard.press('v');
    await page.keyboard.type('r');
    await page
      .getByText(/dynamically imported/)
      .first()
      .waitFor();
    await page.keyboard.press('j');
    await page.locator('[role=row]:focus').waitFor();
    expect(await served.active()).to.include({ run_id, state: 'finished' });
  });
});
