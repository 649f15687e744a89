import { expect } from 'chai';
import { Project, type Running, until } from '../helpers/project.js';
import { RedisUnderTest, workHere } from '../helpers/redis.js';
import { ServedProject } from '../helpers/served-project.js';

/** An eval file that says who imports it; the import of the coordinator waits for a file. */
const files = (name: string) => ({
  'package.json': `{ "name": "${name}", "type": "module" }`,
  'a.eval.ts': `
    import { appendFileSync, existsSync } from 'node:fs';
    import { setTimeout as delay } from 'node:timers/promises';
    import { evaluation } from 'assay';
    const isWorker = process.env.ROLE === 'worker';
    const { word } = await import('./word.ts');
    appendFileSync(new URL('imports.log', import.meta.url), (isWorker ? 'worker ' : 'coordinator ') + process.pid + '\\n');
    while (!isWorker && !existsSync(new URL('go', import.meta.url))) await delay(10);
    export const early = evaluation({
      cases: [{ id: 'a' }, { id: 'b' }],
      target: () => word + ' ' + process.pid,
      evaluators: [() => true],
    });
  `,
  'word.ts': `export const word = 'old';`,
});

describe('a worker imports the files of a run while it is being planned', function () {
  this.timeout(180_000);
  let redis: RedisUnderTest;

  before(async () => {
    redis = await RedisUnderTest.start();
  });

  async function startBoth(project: Project): Promise<Running> {
    await workHere(project, { url: redis.url, env: { ROLE: 'worker' } });
    return project.start(['run', '--redis', redis.url, '--json']);
  }

  /** Processes of the worker that have imported the file. */
  function imports(project: Project): string[] {
    if (!project.has('imports.log')) return [];
    return project.read('imports.log').match(/(?<=worker )\d+/g) ?? [];
  }

  const untilImported = (project: Project) =>
    until(() => imports(project).length > 0, 'an import of the worker');

  async function outputs(running: Running): Promise<unknown[]> {
    const { results } = (await running.ended).json() as {
      readonly results: readonly { readonly result: { readonly output: unknown } }[];
    };
    return results.map(({ result }) => result.output);
  }

  it('and runs them in the process that has imported them', async () => {
    const project = new Project(files('early'));
    const running = await startBoth(project);
    await untilImported(project);
    project.write('go', '');
    const [pid] = imports(project);
    expect(await outputs(running)).to.deep.equal([`old ${pid}`, `old ${pid}`]);
    expect(imports(project)).to.have.length(1);
  });

  it('and imports them again when one has been written meanwhile', async () => {
    const project = new Project(files('written'));
    // The coordinator imports the module when the worker has.
    project.write(
      'a.eval.ts',
      project.read('a.eval.ts').replace(
        'const { word }',
        `while (!isWorker && !existsSync(new URL('go', import.meta.url))) await delay(10);
           const { word }`,
      ),
    );
    const running = await startBoth(project);
    await untilImported(project);
    project.write('word.ts', `export const word = 'new';`);
    project.write('go', '');
    const found = await outputs(running);
    const [before, after] = imports(project);
    expect(found).to.deep.equal([`new ${after}`, `new ${after}`]);
    expect(before).to.not.equal(after);
  });

  it('but not where nothing is run', async () => {
    const project = new Project({ ...files('served'), go: '' });
    await workHere(project, { url: redis.url, env: { ROLE: 'worker' } });
    const served = await ServedProject.start(project, { redis: redis.url });
    await served.runAll();
    expect(imports(project)).to.have.length(1);
  });
});
