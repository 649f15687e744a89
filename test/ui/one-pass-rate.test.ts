import { expect } from 'chai';
import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';
import { serveKept } from './kept-page.js';
import { goWithin } from './screen.js';

// Of ten results seven pass or fail, two are errors, and one has no verdict.
const evals = `
import { evaluation } from 'assay';
export const answer = evaluation({
  cases: Array.from({ length: 10 }, (_, i) => ({ id: 'c' + i, input: i })),
  target: (ctx) => {
    if (ctx.input < 2) throw new Error('no answer');
    return ctx.input;
  },
}, (ctx) => { ctx.score('size', 1); if (ctx.input < 9) ctx.score('exact', ctx.input > 2); });
`;

describe('a run on screen', function () {
  this.timeout(120_000);
  const ids: string[] = [];
  const at = serveKept(async () => {
    const served = await ServedProject.start(
      {
        'a.eval.ts': evals,
        'assay.yaml': 'configs:\n  fast:\n    concurrency: 8\n  slow:\n    concurrency: 2\n',
      },
      { ui: builtUi, runName: 'first' },
    );
    ids.push((await served.runAll()).run_id);
    await served.post('/api/configs/select', { name: 'fast' });
    await served.post('/api/runs/new?wait=true', { run_name: 'second' });
    ids.push((await served.active()).run_id);
    await served.post('/api/configs/select', { name: 'slow' });
    return served;
  });

  it('has one pass rate and its config: in its header, in the list of runs, in lists to choose from, and in compare', async () => {
    const page = await at.open(`/?run=${ids[1]}`);
    const summary = page.getByRole('region', { name: /^Summary/ });
    expect(await summary.innerText()).to.match(/^66\.7 %\s*passed/);
    const hint = '6 of 9 passed; counted are results with a verdict, and errors';
    expect(await summary.getByTitle(hint).innerText()).to.equal('66.7 %');
    const picker = page.getByTitle('Run', { exact: true });
    expect(await picker.innerText()).to.match(/^second\s+config fast/);
    // The config of the next run says that it is that.
    await page.getByRole('button', { name: 'next run: slow' }).waitFor();
    await picker.click();
    const option = page.getByRole('option', { name: /second/ });
    expect(await option.innerText()).to.contain('config fast');
    expect(await option.innerText()).to.match(/66\.7 %$/);
    expect(await option.getByTitle(hint).count()).to.equal(1);
    await goWithin(page, `/compare?run=${ids[0]}`);
    const choice = page.getByRole('option', { name: /second/ });
    expect(await choice.innerText()).to.match(/66\.7 %$/);
    await choice.click();
    const runs = page.getByRole('group', { name: 'Runs' });
    await runs.getByText('66.7 %').first().waitFor();
    expect(await runs.getByText('66.7 %').count()).to.equal(2);
    for (const config of ['default', 'fast']) await runs.getByText(`config ${config}`).waitFor();
  });
});
