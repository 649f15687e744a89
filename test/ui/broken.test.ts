import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { builtUi, openPage } from '../helpers/browser.js';
import { closeServers, ServedProject } from '../helpers/served-project.js';
import {
  calls,
  openGate,
  runOf,
  serveGated,
  statuses,
  until,
} from '../server/states/gated-project.js';
import { keepPage } from './kept-page.js';
import { part } from './result-project.js';
import { goWithin, rowOf } from './screen.js';

const evals = `
import { evaluation } from 'assay';
export const answer = evaluation({ cases: [{ id: 'a' }, { id: 'b' }], target: (ctx) => 'said ' + ctx.caseId },
  (ctx) => { ctx.score('good', ctx.caseId === 'a'); });
`;

describe('the web UI when something is wrong', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let page: Page;
  const kept = keepPage(() => served.url);
  const open = async (path: string) => {
    page = await kept.open(path);
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const rerunButton = () =>
    page.getByRole('banner').getByRole('button', { name: 'Rerun', exact: true });

  it('says how to write an evaluation, why a file has none, and what cannot be imported, until it can', async () => {
    served = await ServedProject.start({ 'readme.txt': 'nothing yet' }, { ui: builtUi });
    await open('/');
    await page.getByRole('heading', { name: /^No evaluations/ }).waitFor();
    await page.getByText('evals/refund.eval.ts').waitFor();
    expect(await button(/^Run/).isDisabled()).to.equal(true);
    const { project } = served;
    project.write('evals/cases.eval.ts', evals.replace(/\[\{.*?\}\]/, '[]'));
    project.write('evals/default.eval.cjs', 'module.exports = { one: () => 1, two: 2 };');
    project.write(
      'evals/helpers.eval.ts',
      'export const one = () => 1;\nexport default () => {};\n',
    );
    project.write('evals/nothing.eval.ts', 'const secret = 1;\n');
    project.write('evals/private.eval.ts', evals.replace('export const', 'const'));
    project.write('evals/torn.eval.ts', "\nthrow new TypeError('no such tool');\n");
    await button('Look again').click();
    await page.getByRole('heading', { name: '6 files, no evaluation in them' }).waitFor();
    const list = page.getByRole('list', { name: 'Files without evaluations' });
    expect((await list.innerText()).split(/\s*\n\s*/)).to.deep.equal([
      ...['evals/cases.eval.ts', 'has no cases for answer'],
      ...['evals/default.eval.cjs', 'exports 2 values, no evaluation'],
      ...['evals/helpers.eval.ts', 'exports 2 functions, no evaluation'],
      ...['evals/nothing.eval.ts', 'exports nothing'],
      ...['evals/private.eval.ts', 'defines 1 evaluation and does not export it'],
      ...['evals/torn.eval.ts', 'line 2, cannot be imported'],
    ]);
    project.write('evals/nothing.eval.ts', evals);
    await button('Look again').click();
    await rowOf(page, 'answer[b]').waitFor();
    await page.getByText('Not everything could be imported.').waitFor();
    const banner = await page.getByRole('main').innerText();
    expect(banner).to.contain('evals/torn.eval.ts').and.contain('no such tool').and.match(/:2\b/);
    project.write('evals/torn.eval.ts', evals.replace('answer', 'mended'));
    await button('Import again').click();
    await rowOf(page, 'mended[a]').waitFor();
    expect(await page.getByText('Not everything could be imported.').count()).to.equal(0);
    await button('Run 4').click();
    await button('2 passed').waitFor();
    // It has finished.
    await rerunButton().waitFor();
  });

  it('shows a run whose evals are gone: to look at and annotate, not to run until they are back', async () => {
    const run_id = await served.activeId();
    served.project.remove('evals');
    await open(`/?run=${run_id}`);
    await page.reload();
    await page.getByText('View only.').waitFor();
    const rerun = rerunButton();
    expect(await rerun.isDisabled()).to.equal(true);
    expect(await button(/^Regrade/).isDisabled()).to.equal(true);
    await rowOf(page, 'answer[a]').click({ position: { x: 500, y: 14 } });
    await part(page, 'Annotation').waitFor();
    await page.keyboard.press('a');
    await page.keyboard.type('seen');
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await page.keyboard.press('Control+Enter');
    await part(page, 'Annotation').getByText('seen').waitFor();
    await saved;
    const { body } = await served.get(`/api/runs/${run_id}/results/0`);
    expect(body.result.result.annotation).to.equal('seen');
    await page.keyboard.press('Escape');
    await page.getByText('View only.').waitFor();
    served.project.write('evals/nothing.eval.ts', evals);
    served.project.write('evals/torn.eval.ts', evals.replace('answer', 'mended'));
    // The page may see by itself that they are back before it is told to look.
    const isBack = page.getByText('View only.').waitFor({ state: 'detached' });
    void button('Look again')
      .click()
      .catch(() => undefined);
    await isBack;
    await rerun.and(page.locator(':enabled')).waitFor();
  });

  it('asks before a run or a session is deleted, and tells other tabs that it is gone', async () => {
    const run_id = await served.activeId();
    const { page: other, faults } = await openPage();
    await other.goto(`${served.url}/runs/${run_id}/results/0`);
    await open(`/?run=${run_id}`);
    await rowOf(page, 'answer[a]').waitFor();
    await part(other, 'Scores').waitFor();

    const question = page.getByRole('alertdialog');
    const askOfRun = async () => {
      await page.getByTitle('Run', { exact: true }).click();
      await button('Delete…').click();
    };
    await askOfRun();
    await question.getByText('This cannot be undone.').waitFor();
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    expect((await served.get(`/api/runs/${run_id}`)).status).to.equal(200);
    await askOfRun();
    await question.getByRole('button', { name: 'Delete run' }).click();
    await button('Run 4').waitFor();
    expect((await served.get(`/api/runs/${run_id}`)).status).to.equal(404);
    await other.getByRole('heading', { name: /^No run/ }).waitFor();

    // Of a dashboard, too.
    for (let n = 0; n < 3; n += 1) await served.post('/api/runs/new?wait=true', {});
    const { run_id: next } = await served.active();
    await goWithin(other, `/?run=${next}`);
    await rowOf(other, 'answer[a]').getByText('said a').waitFor();
    await served.delete(`/api/runs/${next}`);
    await other.getByRole('heading', { name: /^No run/ }).waitFor();
    await other.getByRole('button', { name: 'Open the dashboard' }).click();
    await rowOf(other, 'answer[a]').waitFor();

    const [left] = (await served.get('/api/sessions/default/runs')).body.runs;
    await goWithin(page, `/?run=${left.run_id}`);
    await rowOf(page, 'answer[a]').getByText('said a').waitFor();
    await page.getByTitle('Session', { exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete session…' }).click();
    await question.getByText('2 runs with all results').waitFor();
    await question.getByRole('button', { name: 'Delete session' }).click();
    await question.waitFor({ state: 'detached' });
    await button('Run 4').waitFor();
    expect((await served.get('/api/sessions')).body.sessions).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
  });

  it('only reads what another process runs, and resumes or cancels what that has left when it is killed', async () => {
    const cases = ['a', 'b', 'c', 'd'];
    await closeServers();
    served = await serveGated({ cases, ui: builtUi });
    const { project } = served;
    openGate(served, 'a');
    const running = project.start(['run']);
    let id = '';
    await until(async () => {
      const { runs } = (await served.get('/api/sessions/default/runs')).body;
      id = runs.find(({ state }: { state: string }) => state === 'running')?.run_id ?? '';
      return id !== '' && statuses(await runOf(served, id))[0] === 'completed';
    }, 'the first result');
    page = await kept.blank();
    await page.goto(served.url);
    await page.getByTitle('Run', { exact: true }).click();
    const listed = page
      .getByRole('option')
      .filter({ has: page.getByRole('img', { name: 'running' }) });
    await listed.click();
    const elsewhere = page.getByText(/^runs in process \d+$/);
    await elsewhere.waitFor();
    expect(await button('Read only here').isDisabled()).to.equal(true);
    expect(await button(/Pause|Stop|Rerun/).count()).to.equal(0);
    await rowOf(page, 'gated[a]').getByText('one', { exact: true }).waitFor();
    openGate(served, 'b');
    await rowOf(page, 'gated[b]').getByText('one', { exact: true }).waitFor();
    running.child.kill('SIGKILL');
    await once(running.child, 'close');
    await page.getByText('interrupted by a crash').waitFor();
    await button('Resume 2').waitFor();
    expect(await elsewhere.count()).to.equal(0);
    cpSync(project.path('.assay'), project.path('left'), { recursive: true });
    project.remove('calls');
    openGate(served);
    await button('Resume 2').click();
    await button('4 passed').waitFor();
    expect(calls(served).toSorted()).to.deep.equal(['c', 'd']);
    await served.close();
    project.remove('.assay');
    cpSync(project.path('left'), project.path('.assay'), { recursive: true });
    // At the same address, where the page finds it.
    served = await ServedProject.start(project, { ui: builtUi });
    await button('Cancel the rest').click();
    await rowOf(page, 'gated[d]').getByText('cancelled by stop').waitFor();
    await button('2 passed').waitFor();
  });
});
