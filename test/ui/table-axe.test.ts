import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { closePages } from '../helpers/browser.js';
import { removeProjects } from '../helpers/project.js';
import { closeServers, type ServedProject } from '../helpers/served-project.js';
import { openTable, serveMany } from './table-project.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds, as `rule: selector`. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    // axe puts itself on the window.
    const { violations } = await (
      globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }> };
      }
    ).axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ target }) => `${id}: ${target.join(' ')}`),
    );
  });
}

describe('table and filters for everybody', () => {
  let served: ServedProject;

  before(async function () {
    this.timeout(60_000);
    served = await serveMany();
  });
  afterEach(closePages);
  after(async () => {
    await closeServers();
    removeProjects();
  });

  for (const theme of ['light', 'dark'] as const) {
    it(`have nothing axe objects to, ${theme}`, async () => {
      const { page } = await openTable(served, '/?dataset=!tone&sort=function', { theme });
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await page.keyboard.press('ArrowRight');
      await page.getByText('.eval.ts::').waitFor();
      expect(await findings(page)).to.deep.equal([]);
      await page.keyboard.press('f');
      await page.getByRole('dialog', { name: 'Filters' }).waitFor();
      expect(await findings(page)).to.deep.equal([]);
    });

    it(`have nothing axe objects to where nothing matches, ${theme}`, async () => {
      const { page } = await openTable(served, '/?dataset=tone&status=failed', { theme });
      await page.getByText('Without “failed”').waitFor();
      expect(await findings(page)).to.deep.equal([]);
    });
  }

  it('have nothing axe objects to at 400 pixels', async () => {
    const { page } = await openTable(served, '/?dataset=trials', { width: 400 });
    await page.getByRole('button', { name: 'Open trials' }).first().click();
    await page.getByRole('link', { name: '~5' }).waitFor();
    expect(await findings(page)).to.deep.equal([]);
  });
});
