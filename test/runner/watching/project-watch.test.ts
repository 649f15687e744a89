import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { ProjectWatch } from '../../../src/runner/watching/project-watch.js';
import { Project, removeProjects, until } from '../../helpers/project.js';

describe('ProjectWatch', () => {
  const watches: ProjectWatch[] = [];
  afterEach(async () => {
    for (const watch of watches.splice(0)) await watch.close();
    await removeProjects();
  });

  it('reports nothing twice that was saved with what it has reported', async () => {
    const project = new Project({ 'a.txt': '0' });
    // What is as young as the watch counts as saved.
    await delay(100);
    const batches: (readonly string[])[] = [];
    const watch = new ProjectWatch({
      cwd: project.folder,
      searched: [],
      leftOut: [project.path('.assay'), project.path('recordings')],
      onBatch: (names) => {
        batches.push(names);
        // A round begins, and looks at a file that nobody has looked at before.
        void watch.follow([{ kind: 'file', name: `new-${batches.length}.txt` }], Date.now());
      },
      onWritten: () => undefined,
      onProblem: () => undefined,
    });
    watches.push(watch);
    await watch.follow([{ kind: 'file', name: 'a.txt' }], Date.now());
    const rounds = [1, 2, 3, 4, 5];
    for (const round of rounds) {
      project.write(`new-${round}.txt`, 'new');
      project.write('a.txt', String(round));
      await until(() => batches.length >= round, `round ${round}`);
    }
    expect(batches).to.deep.equal(rounds.map(() => ['a.txt']));
  });

  it('reports nothing of results and recordings, which each round writes', async () => {
    const files = { 'a.txt': '0', 'recordings/a.eval.ts/one/1/0-1.json': '0' };
    const project = new Project(files);
    await delay(100);
    const batches: (readonly string[])[] = [];
    const written: string[] = [];
    const watch = new ProjectWatch({
      cwd: project.folder,
      searched: [project.folder],
      leftOut: [project.path('.assay'), project.path('recordings')],
      onBatch: (names) => batches.push(names),
      onWritten: (name) => written.push(name),
      onProblem: () => undefined,
    });
    watches.push(watch);
    const names = Object.keys(files);
    const looks = names.map((name) => ({ kind: 'file' as const, name }));
    const folder = { kind: 'folder' as const, name: 'recordings/a.eval.ts/one/1' };
    await watch.follow([...looks, folder], Date.now());
    project.write('recordings/a.eval.ts/one/1/0-1.json', '1');
    project.write('recordings/b.eval.ts', '1');
    watch.leaveOut('recordings/a.eval.ts/one/1/0-1.json');
    project.write('a.txt', '1');
    await until(() => batches.length > 0, 'a round');
    expect(batches).to.deep.equal([['a.txt']]);
    expect(written).to.deep.equal([]);
  });
});
