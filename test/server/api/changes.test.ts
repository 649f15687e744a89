import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { blockForever } from '../../helpers/blocking.js';
import { Project, until } from '../../helpers/project.js';
import { closeServers, ServedProject } from '../../helpers/served-project.js';
import { EventClient } from './events-client.js';

const refund = (grade = 'output === reference') => `
  import { readFileSync } from 'node:fs';
  import { evaluation } from 'assay';
  export const refund = evaluation({
    cases: [
      { id: 'one', input: 'x', reference: 'Refund.x' },
      { id: 'two', input: 'y', reference: 'no' },
    ],
    target: ({ input }) => readFileSync('prompts/refund.md', 'utf8') + input,
    evaluators: [function exact({ output, reference }) { return ${grade}; }],
  });`;
const plain = (name: string) => `
  import { evaluation } from 'assay';
  export const ${name} = evaluation({ input: 1, target: () => 1, evaluators: [() => true] });`;
const shell = `
  import { execFileSync } from 'node:child_process';
  import { evaluation } from 'assay';
  export const shell = evaluation({ input: 1, target: () => String(execFileSync('true')) });`;

const files = {
  'prompts/refund.md': 'Refund.',
  'evals/a.eval.ts': refund(),
  'evals/b.eval.ts': plain('plain'),
};

describe('GET /api/runs/{run_id}/changes', () => {
  const clients: EventClient[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) client.leave();
    await closeServers();
  });

  async function start(more: Record<string, string> = {}): Promise<[ServedProject, EventClient]> {
    const project = new Project({ ...files, ...more });
    // What is as young as the server counts as saved; no call can set this time of a file.
    const youngest = Math.max(
      ...Object.keys({ ...files, ...more }).map((name) => statSync(project.path(name)).ctimeMs),
    );
    await until(() => Date.now() > youngest + 100, 'the clock to go on');
    const served = await ServedProject.start(project, { watches: true });
    const client = await EventClient.connect(served.url);
    clients.push(client);
    return [served, client];
  }

  /** Does something and waits for the event that names these files. */
  async function saved(client: EventClient, act: () => void, ...names: string[]) {
    const before = client.events.length;
    act();
    const seen = new Set<string>();
    await until(() => {
      for (const event of client.events.slice(before)) {
        if (event.type === 'project') for (const name of event.data.files) seen.add(name);
      }
      return names.every((name) => seen.has(name));
    }, `${names} saved`);
  }

  const changesOf = async (served: ServedProject, run: string) =>
    (await served.get(`/api/runs/${run}/changes`)).body;

  /** What is out of date once something was saved since a version: the event of an earlier save may come late. */
  const changesAfter = async (served: ServedProject, run: string, version: string) => {
    for (const end = performance.now() + 30_000; performance.now() < end; await delay(20)) {
      const found = await changesOf(served, run);
      if (found.version !== version) return found;
    }
    throw new Error(`the changes stay those of version ${version}`);
  };

  /** The indices of the rows that a filter selects. */
  const rowsOf = async (served: ServedProject, run: string, filter: string) =>
    (await served.get(`/api/runs/${run}/rows/indices?${filter}`)).body.indices;

  /** Why results last ran or were graded again. */
  const reasonsOf = async (served: ServedProject, run: string) => {
    const { results } = (await served.get(`/api/runs/${run}/data`)).body;
    return results.map((row: { result: { reason?: string } }) => row.result.reason);
  };

  it('says what runs and what is only graded again, and both make it current', async () => {
    const [served, client] = await start();
    const { run_id } = await served.runAll();
    const first = await changesOf(served, run_id);
    expect(first).to.include({ run_id, added: 0, gone: 0 });
    expect(first.changes).to.deep.equal([]);

    const save = () => served.project.write('evals/a.eval.ts', refund('output !== reference'));
    await saved(client, save, 'evals/a.eval.ts');
    const graded = await changesAfter(served, run_id, first.version);
    expect(graded.changes).to.deep.equal([
      { action: 'regrade', reason: 'evals/a.eval.ts (refund)', indices: [0, 1] },
    ]);
    expect(await rowsOf(served, run_id, 'changed=true')).to.deep.equal([0, 1]);
    expect(await rowsOf(served, run_id, 'changed=false')).to.deep.equal([2]);
    expect(await rowsOf(served, run_id, 'changed=!true')).to.deep.equal([2]);
    const rows = `/api/runs/${run_id}/rows`;
    const page = await served.get(`${rows}?changed=true&status=failed&summary=false`);
    expect(page.body).to.include({ total: 3, filtered: 1 });
    expect((await served.get(`${rows}/groups?by=file&changed=true`)).body.filtered).to.equal(2);
    expect((await served.get(`${rows}?changed=yes`)).status).to.equal(400);
    await served.post('/api/runs/regrade?wait=true', { run_id, indices: [0, 1] });
    const grader = 'evals/a.eval.ts (refund)';
    expect(await reasonsOf(served, run_id)).to.deep.equal([grader, grader, undefined]);
    expect(await rowsOf(served, run_id, 'changed=true')).to.deep.equal([]);
    expect((await changesOf(served, run_id)).changes).to.deep.equal([]);

    // Files that evaluations read count, new evaluations, and those that are gone.
    await saved(
      client,
      () => {
        served.project.write('prompts/refund.md', 'No refund.');
        served.project.write('evals/c.eval.ts', plain('added'));
        served.project.remove('evals/b.eval.ts');
      },
      ...['prompts/refund.md', 'evals/c.eval.ts', 'evals/b.eval.ts'],
    );
    const read = await changesOf(served, run_id);
    expect(read).to.include({ added: 1, gone: 1 });
    expect(read.changes).to.deep.equal([
      { action: 'run', reason: 'prompts/refund.md', indices: [0, 1] },
    ]);
    const body = { run_id, indices: [0, 1], add_new: true };
    await served.post('/api/runs/rerun?wait=true', body);
    const prompt = 'prompts/refund.md';
    expect((await reasonsOf(served, run_id)).slice(0, 2)).to.deep.equal([prompt, prompt]);
    const after = await changesOf(served, run_id);
    expect(after).to.include({ added: 0, gone: 1 });
    expect(after.changes).to.deep.equal([]);
    const { results } = (await served.get(`/api/runs/${run_id}/data`)).body;
    expect(results.map((row: { id: string }) => row.id).at(-1)).to.equal('evals/c.eval.ts::added');
    expect(served.bugs).to.deep.equal([]);
  });

  it('says a syntax error, keeps what is there and goes on', async () => {
    const [served, client] = await start();
    const { run_id } = await served.runAll();
    const broken = () => served.project.write('evals/a.eval.ts', 'export const x = ;');
    await saved(client, broken, 'evals/a.eval.ts');
    const { problem, changes, gone } = await changesOf(served, run_id);
    expect(problem).to.contain('evals/a.eval.ts');
    expect(changes).to.deep.equal([]);
    expect(gone).to.equal(0);
    for (const list of ['rows', 'rows/indices', 'rows/groups']) {
      const query = list === 'rows/groups' ? 'by=file&changed=true' : 'changed=true';
      const { body } = await served.get(`/api/runs/${run_id}/${list}?${query}`);
      expect(body.problem, list).to.equal(problem);
    }
    const { body: unfiltered } = await served.get(`/api/runs/${run_id}/rows`);
    expect(unfiltered).to.not.have.property('problem');
    const active = (await served.get('/results')).body;
    expect(active.discovery_error).to.equal(problem);
    expect(active.total_passed).to.equal(2);
    await saved(
      client,
      () => served.project.write('evals/a.eval.ts', refund()),
      ...['evals/a.eval.ts'],
    );
    expect(await changesOf(served, run_id)).to.not.have.property('problem');
    expect((await served.get('/results')).body).to.not.have.property('discovery_error');
  });

  it('shows what was saved in the run that has not started, in one event for quick saves', async () => {
    const [served, client] = await start();
    const before = (await served.get('/results')).body;
    expect(before.total_evaluations).to.equal(3);
    const names = Array.from({ length: 12 }, (_, at) => `evals/n${at}.eval.ts`);
    await saved(
      client,
      () => {
        for (const name of names) served.project.write(name, plain('one'));
      },
      names[0] ?? '',
    );
    const after = await served.until((run) => run.total_evaluations === 15);
    expect(after).to.include({ run_id: before.run_id, run_name: before.run_name });
    const { changes } = await changesOf(served, before.run_id);
    expect(changes).to.deep.equal([]);
    const told = client.events.filter((event) => event.type === 'project');
    expect(told.length).to.be.below(names.length / 3);
    for (const name of names) served.project.remove(name);
    await served.until((run) => run.total_evaluations === 3);
  });

  it('lists what cannot be told apart only when a file was saved since it ran', async () => {
    const [served, client] = await start({ 'evals/s.eval.ts': shell });
    const { run_id } = await served.runAll();
    expect((await changesOf(served, run_id)).changes).to.deep.equal([]);
    await saved(
      client,
      () => served.project.write('evals/b.eval.ts', `${plain('plain')}\n`),
      ...['evals/b.eval.ts'],
    );
    const { changes } = await changesOf(served, run_id);
    expect(changes.map((one: { indices: unknown }) => one.indices)).to.deep.equal([[3]]);
    await served.post('/api/runs/rerun?wait=true', { run_id, indices: [3] });
    expect((await changesOf(served, run_id)).changes).to.deep.equal([]);
  });

  it('gives up an import that does not end, once the file is saved again', async () => {
    const [served] = await start();
    const { run_id } = await served.runAll();
    const blocks = `
      import { writeFileSync } from 'node:fs';
      writeFileSync('importing', '');
      ${blockForever}`;
    served.project.write('evals/a.eval.ts', blocks);
    await until(() => served.project.has('importing'), 'the import');
    const asked = changesOf(served, run_id);
    served.project.write('evals/a.eval.ts', refund('output !== reference'));
    expect((await asked).changes).to.deep.equal([
      { action: 'regrade', reason: 'evals/a.eval.ts (refund)', indices: [0, 1] },
    ]);
    expect(served.bugs).to.deep.equal([]);
  });

  it('leaves a run that goes on alone, and tells afterwards', async () => {
    const slow = `
      import { existsSync } from 'node:fs';
      import { evaluation } from 'assay';
      export const slow = evaluation({}, async (ctx) => {
        while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20));
        ctx.output = 'done';
      });`;
    const [served, client] = await start({ 'evals/s.eval.ts': slow });
    const { run_id } = (await served.post('/api/runs/rerun', {})).body;
    await client.next('run', (data) => data.state === 'running');
    const busy = await served.get(`/api/runs/${run_id}/changes`);
    expect(busy.status).to.equal(409);
    const rows = `/api/runs/${run_id}/rows?changed=true`;
    expect((await served.get(rows)).status).to.equal(409);
    served.project.write('evals/b.eval.ts', plain('other'));
    await saved(client, () => served.project.write('go', ''), 'evals/b.eval.ts');
    const run = (await served.get('/results')).body;
    expect(run).to.include({ run_id, state: 'finished', total_evaluations: 4 });
    expect(await changesOf(served, run_id)).to.include({ added: 1, gone: 1 });

    // What was out of date stays in the filter while it runs.
    served.project.remove('go');
    await saved(
      client,
      () => served.project.write('evals/s.eval.ts', slow.replace("'done'", "'ended'")),
      ...['evals/s.eval.ts'],
    );
    const changed = (await served.get(rows)).body.rows;
    expect(changed.map(({ function: name }: { function: string }) => name)).to.deep.equal(['slow']);
    await served.post('/api/runs/rerun', { run_id, indices: [changed[0].index] });
    expect((await served.get(rows)).body).to.include({ filtered: 1 });
    served.project.write('go', '');
    await served.until(({ state }) => state === 'finished');
    const { changes } = await changesOf(served, run_id);
    const left = changes.flatMap(({ indices }: { indices: number[] }) => indices);
    expect(await rowsOf(served, run_id, 'changed=true')).to.deep.equal(left);
  });
});
