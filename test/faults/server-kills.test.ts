import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { endServing, serve } from '../e2e/serve-process.js';
import { blockForever } from '../helpers/blocking.js';
import { inTurns } from '../helpers/in-turns.js';
import { type JsonRun, removeProjects, until } from '../helpers/project.js';
import { randomNumbers, times } from '../helpers/rounds.js';

const rows = 30;
const source = `
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const row = evaluation(
  { cases: Array.from({ length: ${rows} }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { await wait(20); ctx.output = 'output ' + ctx.caseId; },
);
`;

function annotate(url: string, index: number, annotation: string): Promise<Response> {
  return fetch(`${url}/api/runs/latest/results/${index}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ result: { annotation } }),
  });
}

/** Annotates results one after the other until the server is gone; what was acknowledged goes to `saved`. */
async function editUntilGone(url: string, who: number, saved: string[]): Promise<void> {
  for (let count = 0; ; count += 1) {
    const text = `${who}/${count}`;
    try {
      const response = await annotate(url, (count * 7 + who) % rows, text);
      if (response.status === 200) saved.push(text);
      await response.arrayBuffer();
    } catch {
      return;
    }
  }
}

/** Ids of the results that a client has seen as finished. */
async function watchUntilGone(url: string): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  for (;;) {
    try {
      const { results } = (await (await fetch(`${url}/results`)).json()) as JsonRun['run'];
      for (const row of results) if (row.result.status === 'completed') seen.add(row.id);
    } catch {
      return seen;
    }
  }
}

describe('a server that is killed while clients edit the run it executes', () => {
  const random = randomNumbers();
  const moments = Array.from({ length: times(1) }, () => Math.floor(random() * 500));

  afterEach(async () => {
    await endServing();
    removeProjects();
  });

  it('has saved every edit it has acknowledged and every result it has shown', async () => {
    await inTurns(moments, 2, async (moment) => {
      const { child, url, project, ended } = await serve({ 'a.eval.ts': source }, ['--start']);
      const saved: string[] = [];
      const clients = [0, 1, 2].map((who) => editUntilGone(url, who, saved));
      const watcher = watchUntilGone(url);
      await until(() => saved.length > 0, 'the first edit');
      await delay(moment);
      child.kill('SIGKILL');
      await Promise.all(clients);
      const seen = await watcher;
      await ended;
      expect(await project.processesLeft(), `${moment} ms`).to.deep.equal([]);
      const { run } = await project.exported();
      const notes = run.results.flatMap(({ result }) =>
        result.correction_history.map(({ after }) => after),
      );
      expect(notes, `${moment} ms`).to.include.members(saved);
      const completed = run.results.filter(({ result }) => result.status === 'completed');
      expect(completed.map(({ id }) => id)).to.include.members([...seen]);
      expect(run.results.filter(({ result }) => result.status === 'running')).to.deep.equal([]);
      const resumed = await project.run(['--resume', 'latest']);
      expect(resumed.run).to.include({ state: 'finished', total_passed: rows });
      expect(
        resumed.run.results.flatMap(({ result }) => result.correction_history),
      ).to.have.lengthOf(notes.length);
    });
  }).timeout(120_000);
});

describe('a server that is killed while a reviewer labels', () => {
  afterEach(async () => {
    await endServing();
    removeProjects();
  });

  it('has saved every label it has answered', async () => {
    const { child, url, project, ended } = await serve({ 'a.eval.ts': source }, ['--start']);
    await until(() => project.finishedResults() === rows, 'all results');
    const saved: string[] = [];
    const labels = Array.from({ length: 50 }, async (_, n) => {
      const reviewer = `reviewer ${n}`;
      const response = await fetch(`${url}/api/runs/latest/review/${n % rows}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ key: 'correctness', verdict: 'pass', reviewer }),
      }).catch(() => undefined);
      if (response?.status === 200 && saved.push(reviewer) === 20) child.kill('SIGKILL');
    });
    await Promise.all(labels);
    await ended;
    const { stdout } = await project.assay(['export', 'latest', '--labels', '-f', 'jsonl']);
    const kept = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    expect(saved.length).to.be.at.least(20);
    expect(kept.map(({ reviewer }) => reviewer)).to.include.members(saved);
  });
});

const loops = `
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { evaluation } from 'assay';
export const quick = evaluation({}, () => {});
export const loops = evaluation({}, async () => {
  process.on('SIGTERM', () => {});
  spawn('sh', ['-c', 'trap "" TERM HUP INT; sleep 1000; sleep 1000'], { detached: true });
  spawn('sleep', ['1000']);
  while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 10));
  writeFileSync('looping', '');
  ${blockForever}
});
`;

describe('a server that is killed while an evaluation blocks its process', () => {
  afterEach(async () => {
    await endServing();
    removeProjects();
  });

  it('leaves no process, grandchildren included, and keeps what has finished', async () => {
    const { child, project } = await serve({ 'a.eval.ts': loops }, ['--start']);
    await until(() => project.finishedResults() === 1, 'the quick one to be saved');
    project.write('go', '');
    await until(() => project.has('looping'), 'the loop');
    expect(project.processes().length).to.be.greaterThan(3);
    child.kill('SIGKILL');
    expect(await project.processesLeft()).to.deep.equal([]);
    const { run, statuses } = await project.exported();
    expect(run.state).to.equal('interrupted');
    expect(statuses).to.deep.equal({ quick: 'completed', loops: 'pending' });
  });
});
