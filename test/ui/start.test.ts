import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { builtUi, closePages, openPage } from '../helpers/browser.js';
import type { Project } from '../helpers/project.js';
import { closeServers, ServedProject } from '../helpers/served-project.js';
import { closeGate, makeGatedProject, openGate, until } from '../server/states/gated-project.js';
import { findings } from './findings.js';
import { eventually, goWithin, rowOf, tabTo } from './screen.js';

describe('the page that a server opens', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let page: Page;
  let faults: readonly string[] = [];

  afterEach(() => {
    expect(faults).to.deep.equal([]);
  });

  /** Makes runs in a session, oldest first, by a server of their own. */
  const runElsewhere = async (project: Project, session: string, ...names: readonly string[]) => {
    const other = await ServedProject.start(project, { session });
    for (const name of names) await other.post('/api/runs/new?wait=true', { run_name: name });
    await other.close();
  };
  /** A server on a project that has runs in these sessions, oldest first. */
  const serve = async (...sessions: readonly (readonly string[])[]): Promise<void> => {
    await closePages();
    await closeServers();
    const project = makeGatedProject({ cases: ['a', 'b'] });
    openGate({ project });
    for (const [session = '', ...names] of sessions) {
      await runElsewhere(project, session, ...names);
    }
    served = await ServedProject.start(project, { ui: builtUi });
  };
  const open = async (): Promise<void> => {
    ({ page, faults } = await openPage());
    await page.goto(served.url);
    await rowOf(page, 'gated[a]').waitFor();
  };
  const title = (name: string | RegExp) =>
    page
      .getByRole('heading', { level: 1, name: new RegExp(`^Run ${name} `) })
      .waitFor({ state: 'attached' });
  const banner = () => page.getByRole('banner');
  const names = async () =>
    (await served.get('/api/sessions/default/runs')).body.runs.map(
      ({ run_name }: { run_name: string }) => run_name,
    );

  it('is the run that has not started where nothing is saved, else the newest, whose button runs the same again and keeps it', async () => {
    await serve();
    const { run_name } = (await served.get('/api/active-run')).body;
    await open();
    await banner().getByRole('button', { name: 'Run 2' }).waitFor();
    await runElsewhere(served.project, 'default', 'elsewhere');
    await page.getByTitle('Run', { exact: true }).click();
    await page.getByRole('option', { name: 'elsewhere' }).waitFor();
    await page.keyboard.press('Escape');
    await banner().getByRole('button', { name: 'Run 2' }).waitFor();
    await page.reload();
    await title('elsewhere');
    expect((await served.active()).state).to.equal('not_started');
    await page.getByRole('button', { name: '2 passed' }).waitFor();
    // The next run is a click away.
    await tabTo(page, banner().getByRole('link', { name: 'New run' }));
    await page.keyboard.press('Enter');
    await title(run_name);
    await page.reload();
    await title(run_name);
    await page.goBack();
    await title('elsewhere');
    const button = (name: string) => banner().getByRole('button', { name, exact: true });
    await button('Run again').and(page.locator(':enabled')).waitFor();
    await page.keyboard.press('r');
    await eventually(names, (all) => all.length === 2, 'a second run');
    expect((await names())[1]).to.equal('elsewhere');
    await page.waitForURL(`**/?run=${await served.activeId()}`);
    await button('Rerun').waitFor();
  });

  it('is the newest run of all sessions, to compare, too, and shows what cannot be imported now', async () => {
    await serve(['default', 'first'], ['nightly', 'second', 'third']);
    served.project.write('b.eval.ts', 'throw new TypeError("no such tool");');
    await served.post('/api/server/restart');
    await open();
    await page
      .getByRole('heading', { level: 1, name: 'Run third in session nightly' })
      .waitFor({ state: 'attached' });
    await page.getByText('Not everything could be imported.').waitFor();
    await served.close();
    // A session that somebody has chosen has its own newest run.
    served = await ServedProject.start(served.project, { ui: builtUi, session: 'empty' });
    await page.goto(served.url);
    await banner().getByRole('button', { name: 'Run 2' }).waitFor();
    await goWithin(page, '/compare');
    for (const name of [/second/, /third/]) await page.getByRole('option', { name }).click();
    await page.getByText('gated[a]').first().waitFor();
  });

  describe('while a run is in progress elsewhere', () => {
    const elsewhere: Record<string, ServedProject> = {};
    before(async () => {
      await serve(['nightly', 'older'], ['default', 'first']);
      await open();
      await title('first');
    });
    const start = async (name: string, session = 'default'): Promise<void> => {
      closeGate(served);
      elsewhere[session] ??= await ServedProject.start(served.project, { session });
      const { status, text } = await elsewhere[session].post('/api/runs/new', { run_name: name });
      expect(status, text).to.equal(200);
    };
    const end = async (name: string, session = 'default'): Promise<void> => {
      openGate(served);
      await until(async () => {
        const [run] = (await served.get(`/api/sessions/${session}/runs`)).body.runs;
        return run.run_name === name && run.state === 'finished';
      }, `the end of ${name}`);
    };
    const link = (name: string, on = page): Locator =>
      on.getByRole('status').getByRole('link', { name: `Open ${name}` });

    it('says so until it is opened in some tab, is dismissed or ends', async () => {
      closeGate(served);
      elsewhere.nightly = await ServedProject.start(served.project, { session: 'nightly' });
      const [{ run_id }] = (await served.get('/api/sessions/nightly/runs')).body.runs;
      await elsewhere.nightly.post('/api/runs/rerun', { run_id });
      await link('older').waitFor();
      await start('otter', 'weekly');
      await link('otter').waitFor();
      const notice = page.getByRole('status').filter({ has: page.getByTitle('Dismiss') });
      expect(await notice.innerText())
        .to.contain('2 results in nightly, since')
        .and.contain('2 results in weekly, since');
      const selector = '[role=status]:has([title=Dismiss])';
      expect(await findings(page, { selector })).to.deep.equal([]);
      await end('older', 'nightly');
      await link('older').waitFor({ state: 'detached' });

      await start('heron');
      await link('heron').waitFor();
      const other = await page.context().newPage();
      await other.goto(served.url);
      await other
        .getByRole('heading', { level: 1, name: /^Run heron/ })
        .waitFor({ state: 'attached' });
      for (const tab of [page, other]) await link('heron', tab).waitFor({ state: 'detached' });
      await other.close();
      await end('heron');

      await start('finch');
      await link('finch').waitFor();
      await tabTo(page, page.getByTitle('Dismiss'));
      await page.keyboard.press('Enter');
      await link('finch').waitFor({ state: 'detached' });
      await page.getByRole('main').locator(':focus').waitFor();
      await end('finch');
      await title('first');
    });

    it('opens it where that is wanted, but not while something is selected', async () => {
      await page.getByTitle('Run', { exact: true }).click();
      await page.getByRole('switch', { name: 'Follow the latest run' }).click();
      await page.keyboard.press('Escape');
      await start('crane');
      await title('crane');
      await page.getByRole('status').getByText('Opened the latest run, crane.').waitFor();
      await end('crane');
      await page.goBack();
      await title('first');
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await page.getByRole('toolbar', { name: 'Selected results' }).waitFor();
      await start('egret');
      await link('egret').waitFor();
      await title('first');
      await end('egret');
      await page.keyboard.press('x');
      // Within one second, by which the times of runs are told.
      for (const name of ['lark', 'wren']) {
        await start(name);
        await title(name);
        await end(name);
      }
    });
  });
});
