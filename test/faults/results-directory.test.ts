import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import type { RunOwner } from '../../src/store/run-owner.js';
import { changesBetween, folderState } from '../bad-input/folder-state.js';
import { send, serve } from '../e2e/serve-process.js';
import { cpuTime } from '../helpers/cpu-time.js';
import { Project, until } from '../helpers/project.js';
import { finished, startedRun, temporaryStore } from '../store/builders.js';
import { startChild } from '../store/children.js';

const source = `
import { appendFileSync, existsSync } from 'node:fs';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const row = evaluation(
  { cases: Array.from({ length: 200 }, (_, n) => ({ id: String(n) })) },
  async (ctx) => {
    do await wait(5); while (ctx.caseId === '20' && existsSync('.assay/sessions'));
    appendFileSync('calls.txt', 'x');
    ctx.output = 'fine';
  },
);
`;

// Only root can become somebody who may not write.
const itAsRoot = process.getuid?.() === 0 ? it : () => undefined;
const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

/** What is made is for its user alone, until he lets others look at it. */
function letOthersRead(project: Project): void {
  chmodSync(project.folder, 0o755);
  expect(spawnSync('chmod', ['-R', 'a+rX', project.path('.assay')]).status).to.equal(0);
}

describe('a results directory', () => {
  it('that is deleted while a command executes a run ends it, and the message names the run', async () => {
    const project = new Project({ 'a.eval.ts': source });
    const running = project.start(['run', '-c', '1']);
    await until(
      () => project.has('calls.txt') && project.read('calls.txt').length === 20,
      'results',
    );
    rmSync(project.path('.assay'), { recursive: true });
    const { code, stderr } = await running.ended;
    expect(code, stderr).to.equal(2);
    expect(stderr).to.match(
      /The run folder .*sessions.default.[0-9a-f]{12} was removed while in use/,
    );
    expect(stderr).not.to.match(/^\s+at /m);
    expect(project.read('calls.txt').length).to.be.below(150);
    expect(await project.processesLeft()).to.deep.equal([]);
  });

  itAsRoot('that may only be read can be listed and exported; a new run says so', async () => {
    const project = new Project({ 'a.eval.ts': source.replace('200', '2') });
    const { run } = await project.run();
    const log = `.assay/sessions/default/${run.run_id}/results.jsonl`;
    const before = readFileSync(project.path(log));
    letOthersRead(project);
    const as = { through: asNobody, env: { HOME: '/nonexistent' } };
    const listed = await project.assay(['sessions', 'show', 'default', '--json'], as);
    expect(JSON.parse(listed.stdout).runs).to.have.lengthOf(1);
    const exported = await project.assay(['export', 'latest', '-f', 'json'], as);
    expect(JSON.parse(exported.stdout).results).to.deep.equal(run.results);
    for (const args of [['run'], ['run', '--rerun', 'latest']]) {
      const { code, stderr } = await project.assay(args, as);
      expect(code, stderr).to.equal(2);
      expect(stderr)
        .to.match(/permission denied|read-only/)
        .and.to.include('.assay');
      expect(stderr).not.to.match(/^\s+at /m);
    }
    expect(readFileSync(project.path(log))).to.deep.equal(before);
  });
});

describe('a server whose results directory may only be read', () => {
  itAsRoot(
    'shows what there is, refuses to change it, naming the place, and stays up',
    async () => {
      const project = new Project({ 'a.eval.ts': source.replace('200', '2') });
      const { run } = await project.run();
      letOthersRead(project);
      const before = folderState(project.path('.assay'));
      const env = { HOME: '/nonexistent' };
      const { url, stderr } = await serve(project, [], env, { through: asNobody });
      expect(stderr()).to.match(/Results cannot be saved in .*\.assay.sessions/);
      const read = await send(url, 'GET', `/api/runs/${run.run_id}/data`);
      expect(read.body.results).to.deep.equal(run.results);
      for (const [method, path, body] of [
        ['PATCH', `/api/runs/${run.run_id}/results/0`, { result: { annotation: 'x' } }],
        ['PATCH', `/api/runs/${run.run_id}`, { run_name: 'other' }],
        ['DELETE', `/api/runs/${run.run_id}`, {}],
        ['POST', '/api/runs/rerun', { run_id: run.run_id }],
        ['POST', '/api/runs/new', {}],
      ] as const) {
        const answer = await send(url, method, path, body);
        const { detail } = answer.body;
        // No run can be made there until the settings name another folder.
        const status = path === '/api/runs/new' ? 400 : 500;
        expect(answer.status, `${method} ${path}: ${detail}`).to.equal(status);
        expect(detail)
          .to.include('.assay')
          .and.to.match(/permission denied|read-only|cannot be written to/);
      }
      expect((await fetch(`${url}/api/health`)).status).to.equal(200);
      expect(stderr()).not.to.match(/^\s+at /m);
      expect(changesBetween(before, folderState(project.path('.assay')))).to.deep.equal([]);
    },
  );
});

describe('a run of 10,000 results whose process was killed', () => {
  it('is there again after less than two seconds of work', async () => {
    const store = await temporaryStore();
    const owner = await startedRun(store, 10_000);
    owner.finish(Array.from({ length: 10_000 }, (_, index) => finished(index)));
    await owner.close('finished');
    await owner.run.close();
    const { runId } = owner.run;
    const holder = startChild('hold', [store.root, runId, 'execute']);
    await holder.says('holds');
    holder.process.kill('SIGKILL');
    await holder.ended;
    let again: RunOwner | undefined;
    const spent = await cpuTime(async () => {
      expect(await store.listRuns()).to.have.lengthOf(1);
      again = await store.ownRun(runId);
    });
    expect(spent, 'milliseconds').to.be.below(2000);
    expect(again?.run.state).to.equal('interrupted');
    expect(again?.run.rows).to.have.lengthOf(10_000);
    await again?.release();
    await again?.run.close();
  });
});
