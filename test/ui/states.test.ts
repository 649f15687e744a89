import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi, closePages, openPage } from '../helpers/browser.js';
import { closeServers, ServedProject } from '../helpers/served-project.js';
import { openGate, serveGated, until } from '../server/states/gated-project.js';
import { rowOf } from './screen.js';

const evals = `import { evaluation } from 'assay';
export const answer = evaluation({ cases: [{ id: 'a', input: 2 }, { id: 'b', input: 1 }], target: ({ input }) => input },
  (ctx) => { ctx.score('size', ctx.input); });
`;

describe('what can be done with a run', function () {
  this.timeout(120_000);

  const open = async (address: string, width = 1440): Promise<Page> => {
    const { page } = await openPage({ width });
    await page.goto(address);
    return page;
  };

  afterEach(async () => {
    await closePages();
    await closeServers();
  });

  it('is to wait while this server runs another one, with a way to that', async () => {
    const served = await serveGated({ cases: ['a', 'b'], ui: builtUi });
    openGate(served);
    const { run_id: first } = await served.runAll();
    served.project.remove('go');
    const { run_id: second } = (await served.post('/api/runs/new', {})).body;
    const page = await open(`${served.url}/?run=${first}`);
    const other = page.getByRole('link', { name: 'Another run is in progress' });
    await other.waitFor();
    expect(await page.getByRole('button', { name: 'Rerun', exact: true }).isDisabled()).to.equal(
      true,
    );
    await other.click();
    await page.waitForURL((url) => url.searchParams.get('run') === second);
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    openGate(served);
    await page.getByRole('button', { name: 'Rerun', exact: true }).waitFor();
    await page.goto(`${served.url}/?run=${first}`);
    await page.getByRole('button', { name: 'Rerun', exact: true, disabled: false }).waitFor();
  });

  it('is to sort and to filter it on a phone, too', async () => {
    const served = await ServedProject.start({ 'a.eval.ts': evals }, { ui: builtUi });
    await served.runAll();
    const page = await open(served.url, 400);
    await rowOf(page, 'answer[a]').waitFor();
    const names = async () =>
      Promise.all(
        (await page.locator('[data-result]').all()).map((row) => row.getAttribute('data-result')),
      );
    expect(await names()).to.deep.equal(['0', '1']);
    await page.getByRole('button', { name: 'Filters' }).click();
    const panel = page.getByRole('dialog', { name: 'Filters' });
    await panel.getByRole('button', { name: 'size', exact: true }).click();
    await page.waitForURL(/sort=score/);
    await until(async () => (await names()).join() === '1,0', 'the other order');
    await panel.getByRole('button', { name: 'size ascending' }).waitFor();
  });
});
