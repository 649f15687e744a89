import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createServer, type ViteDevServer } from 'vite';
import { closePages, openPage } from '../helpers/browser.js';
import type { ServedProject } from '../helpers/served-project.js';
import { serveMany } from '../ui/table-project.js';

const configFile = fileURLToPath(new URL('../../ui/vite.config.ts', import.meta.url));

describe('npm run ui', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let vite: ViteDevServer;

  before(async () => {
    served = await serveMany();
    process.env.ASSAY_URL = served.url;
    vite = await createServer({
      configFile,
      logLevel: 'error',
      cacheDir: served.project.path('vite'),
      server: { port: 0 },
    });
    await vite.listen();
  });
  after(async () => {
    delete process.env.ASSAY_URL;
    await closePages();
    await vite.close();
  });

  it('shows a run, without errors on the console', async () => {
    const { page, faults } = await openPage();
    await page.goto(vite.resolvedUrls?.local[0] ?? '');
    await page.getByRole('grid', { name: 'Results' }).waitFor();
    await page.getByRole('button', { name: 'Latency', exact: true }).click();
    await page.waitForURL(/sort=latency/);
    await page.locator('[data-line=row] [data-cell=latency]').first().waitFor();
    expect(faults).to.deep.equal([]);
  });
});
