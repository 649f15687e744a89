import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { openPage } from '../helpers/browser.js';
import { Project } from '../helpers/project.js';
import { heldCases, RedisUnderTest, startWorker, workHere } from '../helpers/redis.js';
import { findings } from '../ui/findings.js';
import { serve } from './serve-process.js';

const files = heldCases('shop', 6);

describe('assay serve --redis and assay workers', function () {
  this.timeout(240_000);

  it('show workers, run on them, pause them, and give what a dead one had to others', async () => {
    const redis = await RedisUnderTest.start('--requirepass', 'secret-word');
    const address = redis.url.replace('//', '//:secret-word@');
    const project = new Project({ ...files, 'assay.yaml': `redis: ${address}\n` });
    const other = new Project({ ...files, 'word.ts': `export const word = 'other';` });
    const first = await startWorker(project, {
      flags: ['--name', 'first', '--lock-seconds', '1', '--offers', 'gpu'],
    });
    await workHere(other, { url: address, name: 'stranger' });
    const { url, stderr } = await serve(project);
    const get = async (path: string) => JSON.parse(await (await fetch(`${url}${path}`)).text());
    const post = (path: string) => fetch(`${url}${path}`, { method: 'POST' });
    /** Asks again until it is so. */
    const until = async (path: string, isSo: (answer: never) => boolean) => {
      for (const end = performance.now() + 60_000; ; await delay(50)) {
        const answer = await get(path);
        if (isSo(answer as never)) return answer;
        if (performance.now() > end) throw new Error(`in vain: ${JSON.stringify(answer)}`);
      }
    };
    type Listed = { name: string; busy: number; finished: number; is_lost: boolean };
    const named = (name: string, list: { workers: Listed[] }) =>
      list.workers.find((one) => one.name === name);

    expect(await get('/api/config')).to.deep.equal({});
    expect(await get('/api/config/file')).to.include({ redis: redis.url });
    await post('/api/runs/rerun');
    const list = await until(
      '/api/workers',
      (now) => named('first', now)?.busy === 2 && JSON.stringify(now).includes('differs'),
    );
    expect(list).to.deep.include({ redis: redis.url });
    expect(list.jobs).to.be.greaterThan(0);
    const [run] = list.runs;
    expect(run).to.include({ is_paused: false, run_id: (await get('/api/active-run')).run_id });
    expect(named('first', list)).to.deep.include({
      slots: 2,
      offers: ['gpu'],
      is_lost: false,
      runs: [run.run_name],
      refused: [],
      pid: first.child.pid,
    });
    expect(JSON.stringify(named('first', list))).to.match(/"a\.eval\.ts::held\[n\d\]"/);
    expect(named('stranger', list)).to.deep.include({
      busy: 0,
      runs: [],
      refused: [{ run: run.run_name, reason: 'word.ts differs in its checkout' }],
    });

    const shown = await project.assay(['workers']);
    expect(shown.stdout).to.match(/first +2 of 2 +a\.eval\.ts::held\[n\d\], 1 more +gpu/);
    expect(shown.stdout).to.match(/stranger +0 of 2 +refused: word\.ts differs in its checkout/);
    expect(shown.stdout).to.match(
      new RegExp(`run ${run.run_name} · \\d+ jobs? waiting, 2 running`),
    );

    const { page, faults } = await openPage();
    await page.goto(`${url}/?run=latest`);
    await page.getByRole('button', { name: 'Workers', exact: true }).click();
    await page.getByRole('heading', { name: '2 workers', exact: true }).waitFor();
    const rowOf = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
    expect(await rowOf('first').innerText()).to.match(
      /2 of 2\s+a\.eval\.ts::held\[n\d\]\s+1 more\s+gpu/,
    );
    expect(await rowOf('stranger').innerText()).to.include(
      `refuses ${run.run_name}: word.ts differs in its checkout`,
    );

    // What runs finishes, and nothing else begins.
    await post('/api/runs/pause');
    project.write('go', '');
    const paused = await until('/api/workers', (now) => named('first', now)?.busy === 0);
    expect(paused.runs).to.have.length(1);
    expect(paused.runs[0]).to.include({ is_paused: true });
    expect(named('first', paused)).to.include({ finished: 2 });
    const running = await get(`/api/runs/${run.run_id}/rows/indices?status=running`);
    expect(running.indices).to.deep.equal([]);
    rmSync(project.path('go'));
    await post('/api/runs/resume');

    await until('/api/workers', (now) => named('first', now)?.busy === 2);
    await workHere(project, { url: address, name: 'second', lockMs: 1_000 });
    await until('/api/workers', (now) => named('second', now)?.busy === 2);
    first.child.kill('SIGKILL');
    await until('/api/workers', (now) => named('first', now)?.is_lost === true);
    await rowOf('first').getByText('others take its evaluations').waitFor();
    expect(await findings(page, { widths: [1440, 400] })).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    const lost = await project.assay(['workers', '--json']);
    expect(named('first', JSON.parse(lost.stdout))).to.include({ is_lost: true });
    project.write('go', '');
    const done = await until('/results', ({ state }) => state === 'finished');
    expect(done).to.include({ total_evaluations: 6, total_passed: 6 });
    await until('/api/workers', (now: { runs: []; workers: [] }) => {
      return now.runs.length === 0 && named('second', now)?.finished === 4;
    });
    expect(stderr()).to.not.include('secret-word');
  });
});
