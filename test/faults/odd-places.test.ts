import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { endServing, serve, untilState } from '../e2e/serve-process.js';
import { Project, removeProjects } from '../helpers/project.js';

const source = `
import { evaluation } from 'assay';
export const row = evaluation({ target: () => 'fine' }, (ctx) => ctx.check('same', true));
`;

const annotated = { result: { annotation: 'seen' } };

function send(url: string, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Mode of a folder and of all below it, by path. */
function modesBelow(folder: string): Map<string, number> {
  const names = ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })];
  return new Map(names.map((name) => [name, lstatSync(join(folder, name)).mode & 0o777]));
}

describe('odd places', () => {
  afterEach(async () => {
    await endServing();
    removeProjects();
  });

  for (const kind of ['a link', 'a link to nowhere', 'a folder'] as const) {
    it(`${kind} in the place of a lock keeps a run from being executed and deleted: 409`, async () => {
      const project = new Project({ 'a.eval.ts': source, 'mine.txt': 'keep' });
      const { run } = await project.run();
      const lock = project.path('.assay/sessions/default', run.run_id, 'lock');
      if (kind === 'a folder') mkdirSync(lock);
      else symlinkSync(project.path(kind === 'a link' ? 'mine.txt' : 'nowhere'), lock);
      const { url, stderr } = await serve(project, ['--run', run.run_id]);
      for (const [method, path] of [
        ['POST', '/api/runs/rerun'],
        ['POST', '/api/runs/regrade'],
        ['DELETE', `/api/runs/${run.run_id}`],
      ] as const) {
        const answer = await send(url, method, path, method === 'POST' ? {} : undefined);
        const text = await answer.text();
        expect(answer.status, `${path}: ${text}`).to.equal(409);
        expect(text).to.include('lock is not a regular file');
      }
      expect((await send(url, 'GET', '/results')).status).to.equal(200);
      const edit = await send(url, 'PATCH', '/api/runs/latest/results/0', annotated);
      expect(edit.status).to.equal(200);
      expect(project.read('mine.txt')).to.equal('keep');
      expect(stderr()).not.to.match(/^\s+at /m);
    });
  }

  it('a results directory of any name, and all that is written to it, is for its user alone', async () => {
    const project = new Project({ 'a.eval.ts': source });
    const into = ['--results-dir', 'out/of/the/way'];
    const open = ['bash', '-c', 'umask 0; exec "$@"', 'bash'];
    const { run } = await project.run(into, { through: open });
    const { url } = await serve(project, ['--run', run.run_id, ...into], {}, { through: open });
    await send(url, 'PATCH', '/api/runs/latest/results/0', annotated);
    expect((await send(url, 'POST', '/api/runs/rerun', {})).status).to.equal(200);
    await untilState(url, 'finished');
    await project.assay(['export', run.run_id, '-f', 'json', '-o', 'run.json', ...into]);
    const imported = ['sessions', 'import', 'run.json', '--session', 'second', ...into];
    expect((await project.assay(imported, { through: open })).code).to.equal(0);
    const modes = modesBelow(project.path('out'));
    expect(modes.size).to.be.greaterThan(10);
    for (const [name, mode] of modes) {
      const isFolder = lstatSync(project.path('out', name)).isDirectory();
      expect(mode.toString(8), name).to.equal(isFolder ? '700' : '600');
    }
  });

  for (const args of [
    ['run', '--no-save'],
    ['serve', '--port', '0'],
  ]) {
    it(`no folder for temporary files is told in one sentence: assay ${args[0]}`, async () => {
      const project = new Project({ 'a.eval.ts': source });
      const nowhere = project.path('nowhere');
      const ended = await project.assay(args, { env: { TMPDIR: nowhere } });
      expect(ended.code, ended.stderr).to.equal(2);
      expect(ended.stderr.trim().split('\n')).to.deep.equal([
        `✗ No folder for temporary files can be created in ${nowhere}: it does not exist.`,
        '  Name a folder that you may write to in the variable TMPDIR.',
      ]);
    });
  }

  for (const args of [['run'], ['serve'], ['sessions'], ['export', 'latest'], ['config', 'path']]) {
    it(`a working directory that was deleted is told in one sentence: assay ${args.join(' ')}`, async () => {
      const project = new Project({ 'a.eval.ts': source });
      mkdirSync(project.path('gone'));
      chmodSync(project.path('gone'), 0o700);
      const gone = ['bash', '-c', 'rmdir "$PWD"; exec "$@"', 'bash'];
      const ended = await project.assay(args, { cwd: 'gone', through: gone });
      expect(ended.code, ended.stderr).to.equal(2);
      expect(ended.stderr).to.include('✗ The working directory no longer exists.');
      expect(ended.stderr).not.to.match(/^\s+at |uv_cwd/m);
    });
  }
});
