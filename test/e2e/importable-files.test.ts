import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { openProjectRedis } from '../../dist/workers/open-redis-executors.js';
import { namesOf, queueName } from '../../dist/workers/redis-server.js';
import { saveRun } from '../../dist/workers/run-list.js';
import { makeManifest } from '../../dist/workers/run-manifest.js';
import { Project, until } from '../helpers/project.js';
import { RedisUnderTest, workHere } from '../helpers/redis.js';
import { ServedProject } from '../helpers/served-project.js';

const evaluation = `import { evaluation } from 'assay';
export const one = evaluation({ target: () => 1, evaluators: [() => true] });`;
/** Leaves a trace when it is imported. */
const tracing = `import { appendFileSync } from 'node:fs';
appendFileSync(process.env.TRACE ?? globalThis.importTrace, import.meta.url + '\\n');
${evaluation}`;

interface Place {
  readonly file: string;
  readonly isImported: boolean;
}

/** The files of the table in docs/security.md. */
function places(): Place[] {
  const text = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
  const [, table = ''] = text.split('| file that a run or a message names | imported |');
  const rows = table.split('\n\n')[0]?.matchAll(/^\| `([^`]+)` \| (yes|no)/gm) ?? [];
  return [...rows].map(([, file = '', answer]) => ({ file, isImported: answer === 'yes' }));
}

/** A project with all places of the table; `trace` names the file of those that were imported. */
function makeProject() {
  const outer = new Project({});
  const project = new Project({ 'a.eval.mjs': evaluation, 'package.json': '{ "type": "module" }' });
  const elsewhere = new Project({ 'other.eval.mjs': tracing });
  const links: Readonly<Record<string, string>> = {
    'linked/other.eval.mjs': elsewhere.folder,
    'link.eval.mjs': elsewhere.path('other.eval.mjs'),
    'inner.eval.mjs': project.path('.hidden/secret.eval.mjs'),
  };
  const inProject = (file: string) => file.replace('../elsewhere', elsewhere.folder);
  for (const { file } of places()) {
    const target = links[file];
    if (target !== undefined) {
      const isFolder = target === elsewhere.folder;
      symlinkSync(target, project.path(isFolder ? dirname(file) : file));
    } else if (!file.startsWith('..')) project.write(file, tracing);
  }
  const trace = outer.path('trace');
  const traced = () => (outer.has('trace') ? outer.read('trace').split('\n').filter(Boolean) : []);
  return { project, trace, traced, inProject, clear: () => rmSync(trace, { force: true }) };
}

describe('the files of docs/security.md that a run or a message names', () => {
  let refusedPlaces: readonly string[];
  let foundPlaces: readonly string[];
  let made: ReturnType<typeof makeProject>;

  before(() => {
    const all = places();
    refusedPlaces = all.filter(({ isImported }) => !isImported).map(({ file }) => file);
    foundPlaces = all.filter(({ isImported }) => isImported).map(({ file }) => file);
    expect(refusedPlaces).to.have.length.above(5);
    expect(foundPlaces).to.have.length(1);
    made = makeProject();
    (globalThis as { importTrace?: string }).importTrace = made.trace;
  });

  /** Runs of one id after another ask for the paths. */
  async function storedRun(): Promise<(paths: readonly string[]) => Promise<string>> {
    const { project } = made;
    const { run_id } = (await project.run(['a.eval.mjs'])).run;
    const text = project.read(`.assay/sessions/default/${run_id}/results.jsonl`);
    return async (paths) => {
      const [first = '', ...lines] = text.split('\n');
      const header = JSON.parse(first) as { selection: object };
      header.selection = { ...header.selection, paths };
      const log = [JSON.stringify(header), ...lines].join('\n');
      project.write(`.assay/sessions/default/${run_id}/results.jsonl`, log);
      rmSync(project.path(`.assay/sessions/default/${run_id}/run.json`), { force: true });
      return run_id;
    };
  }

  it('are imported for a stored run as the table says: viewed, run and graded again', async () => {
    const { project, traced, inProject } = made;
    const ask = await storedRun();
    for (const place of refusedPlaces) {
      const id = await ask([inProject(place)]);
      const served = await ServedProject.start(project, { runId: id });
      const changes = await served.get(`/api/runs/${id}/changes`);
      expect(changes.body.problem, place).to.be.a('string');
      for (const [path, body] of [
        ['rerun', {}],
        ['rerun', { indices: [0] }],
        ['regrade', {}],
      ] as const) {
        const { status, text } = await served.post(`/api/runs/${path}`, body);
        expect(status, `${place}: ${text}`).to.equal(409);
      }
      const status = (await served.get(`/api/runs/${id}`)).body;
      expect(status.view_only, place).to.be.a('string');
      await served.close();
      expect(traced(), place).to.deep.equal([]);
    }
    const id = await ask(foundPlaces);
    const served = await ServedProject.start(project, { runId: id });
    await served.get(`/api/runs/${id}/changes`);
    expect(traced()).to.have.length(1);
    made.clear();
  });

  it('are imported for an imported run JSON as the table says', async () => {
    const { project, traced, inProject } = made;
    const { stdout } = await project.assay(['export', 'latest', '-f', 'json']);
    for (const place of refusedPlaces) {
      const run = { ...JSON.parse(stdout), path: inProject(place), run_name: `from ${place}` };
      // Each has an id of its own: what is saved already is not imported again.
      const run_id = `f${String(refusedPlaces.indexOf(place)).padStart(11, '0')}`;
      project.write('foreign.json', JSON.stringify({ ...run, run_id }));
      const imported = await project.assay(['sessions', 'import', 'foreign.json', '--json']);
      expect(imported.code, imported.stderr).to.equal(0);
      for (const flag of ['--rerun', '--regrade']) {
        const env = { TRACE: made.trace };
        const { code } = await project.assay(['run', flag, `from ${place}`], { env });
        expect(code, `${flag} ${place}`).to.equal(2);
      }
      expect(traced(), place).to.deep.equal([]);
    }
  });

  it('are imported by a worker as the table says, whoever writes to Redis', async () => {
    const { project, traced, inProject } = made;
    const redis = await RedisUnderTest.start();
    const { events } = await workHere(project, { url: redis.url, env: { TRACE: made.trace } });
    const notes = { lost: '', full: '', onWarning: () => undefined };
    const server = await openProjectRedis(redis.url, project.folder, notes);
    const publish = (message: object) =>
      server.client.publish(namesOf(server).toWorkers, JSON.stringify(message));
    const options = {
      ...{ cwd: project.folder, env: {}, addedEnv: {}, concurrency: 1, workers: 1 },
      calls: { capture: 'full' as const },
      ...{ streamLogs: false, resumes: false, hasEnded: async () => false },
      ...{ redact: String, onPrint: () => undefined, onWarning: () => undefined },
    };
    const publishRun = async (name: string) => {
      const files = [{ name, path: join(project.folder, name) }];
      const run = { runId: name.replaceAll(/\W/g, '-'), runName: name, sessionName: 'default' };
      const manifest = await makeManifest(options, {
        run: { ...run, params: {} },
        ...{ files, isOfAll: true, asks: false, descriptors: new Map() },
        modules: { files: [], settings: '', packages: [] },
      });
      await saveRun(server, manifest);
      await publish({ type: 'opened', run: run.runId });
      return manifest;
    };
    for (const place of refusedPlaces) {
      const name = inProject(place);
      await publishRun(name);
      const isRefused = () =>
        events.some((event) => event.type === 'refused' && event.run === name);
      await until(isRefused, `a refusal of ${name}`);
    }
    expect(traced()).to.deep.equal([]);
    // A job names evaluations by id: one of a file that the run does not have is never looked for.
    const { run, execution } = await publishRun(foundPlaces[0] ?? '');
    await until(() => traced().length > 0, 'the import of what a search finds');
    const queue = new server.bullmq.Queue(queueName(run.runId, []), {
      connection: server.client,
      prefix: server.prefix,
    });
    for (const [at, place] of refusedPlaces.entries()) {
      const task = { task: at, id: `${place}::one`, timeout: 5 };
      await queue.add('job', { execution, task });
    }
    expect(new Set(traced())).to.have.length(1);
    await queue.close();
    await server.close();
  });
});
