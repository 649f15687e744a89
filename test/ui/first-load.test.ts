import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { builtUi, openPage } from '../helpers/browser.js';
import { serveMany } from './table-project.js';

describe('what the dashboard loads', function () {
  this.timeout(120_000);
  it('is at first 150 kB of compressed scripts at most', () => {
    const page = readFileSync(join(builtUi, 'index.html'), 'utf8');
    const scripts = [...page.matchAll(/(?:src|href)="\/([^"]*\.js)"/g)].map(([, path]) => path);
    expect(scripts.length).to.be.above(1);
    const bytes = scripts.reduce(
      (sum, path) => sum + statSync(join(builtUi, `${path}.br`)).size,
      0,
    );
    expect(bytes).to.be.at.most(150_000);
  });

  it('has menus, filters and dialogs soon enough to have them without a server', async () => {
    const served = await serveMany();
    const { page } = await openPage();
    const untilLoaded = Promise.all(
      [/overlay-parts.*\.js/, /filter-panel.*\.js/].map(async (part) =>
        (await page.waitForResponse(part)).finished(),
      ),
    );
    await page.goto(served.url);
    await page.getByRole('grid', { name: 'Results' }).waitFor();
    await untilLoaded;
    await served.close();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Input' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.keyboard.press('f');
    await page.getByRole('dialog', { name: 'Filters' }).getByText('dataset').waitFor();
  });
});
