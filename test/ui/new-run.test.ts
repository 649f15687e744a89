import { expect } from 'chai';
import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { choose } from './screen.js';
import { servePages } from './served-pages.js';

const evals = `
import { evaluation } from 'assay';
export const pids = evaluation({ cases: [{}, {}], target: () => process.pid });
`;

describe('the dialog for a new run', () => {
  const pages = servePages(async () => {
    const served = await ServedProject.start({ 'a.eval.ts': evals }, { ui: builtUi, hosts: true });
    await served.runAll();
    return served;
  });

  /** Starts a run with the switch the other way than it is; answers with how many processes ran it. */
  async function startRun(isOnAtFirst: boolean): Promise<number> {
    const page = await pages.open();
    const before = await pages.served.active();
    await choose(page, 'More ways to run', /^New run/);
    const dialog = page.getByRole('dialog', { name: 'New run' });
    const isolate = dialog.getByRole('switch', { name: 'one process per attempt' });
    await isolate.and(page.getByRole('switch', { checked: isOnAtFirst })).waitFor();
    await isolate.click();
    await dialog.getByRole('button', { name: 'Run 2' }).click();
    const { results } = await pages.served.until(
      ({ run_id, state }) => run_id !== before.run_id && state === 'finished',
    );
    const outputs = results.map((row: { result: { output: number } }) => row.result.output);
    return new Set(outputs).size;
  }

  it('has a switch for a process for every attempt, which shows what the settings say', async () => {
    expect(await startRun(false)).to.equal(2);
    pages.served.project.write('assay.yaml', 'isolate: true\n');
    expect(await startRun(true)).to.equal(1);
  }).timeout(120_000);
});
