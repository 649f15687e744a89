import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { send, serve, untilState } from '../e2e/serve-process.js';
import { inTurns } from '../helpers/in-turns.js';
import { Project } from '../helpers/project.js';

const source = `
import { evaluation } from 'assay';
export const row = evaluation({ target: () => 'fine' }, (ctx) => ctx.check('same', true));
`;

const annotated = { result: { annotation: 'seen' } };

/** Mode of a folder and of all below it, by path. */
function modesBelow(folder: string): Map<string, number> {
  const names = ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })];
  return new Map(names.map((name) => [name, lstatSync(join(folder, name)).mode & 0o777]));
}

describe('odd places', () => {
  it('a link or a folder in the place of a lock keeps a run from being executed and deleted: 409', async () => {
    const project = new Project({ 'a.eval.ts': source, 'mine.txt': 'keep' });
    const { run } = await project.run();
    const lock = project.path('.assay/sessions/default', run.run_id, 'lock');
    const { url, stderr } = await serve(project, ['--run', run.run_id]);
    for (const [kind, make] of [
      ['a link', () => symlinkSync(project.path('mine.txt'), lock)],
      ['a link to nowhere', () => symlinkSync(project.path('nowhere'), lock)],
      ['a folder', () => mkdirSync(lock)],
    ] as const) {
      make();
      for (const [method, path] of [
        ['POST', '/api/runs/rerun'],
        ['POST', '/api/runs/regrade'],
        ['DELETE', `/api/runs/${run.run_id}`],
      ] as const) {
        const answer = await send(url, method, path, method === 'POST' ? {} : undefined);
        const { detail } = answer.body;
        expect(answer.status, `${kind}, ${path}: ${detail}`).to.equal(409);
        expect(detail).to.include('lock is not a regular file');
      }
      expect((await send(url, 'GET', '/results')).status).to.equal(200);
      const edit = { result: { annotation: kind } };
      expect((await send(url, 'PATCH', '/api/runs/latest/results/0', edit)).status).to.equal(200);
      rmSync(lock, { recursive: true });
    }
    expect(project.read('mine.txt')).to.equal('keep');
    expect(stderr()).not.to.match(/^\s+at /m);
  });

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

  it('no folder for temporary files is told in one sentence', async () => {
    const project = new Project({ 'a.eval.ts': source });
    const nowhere = project.path('nowhere');
    for (const args of [
      ['run', '--no-save'],
      ['serve', '--port', '0'],
    ]) {
      const ended = await project.assay(args, { env: { TMPDIR: nowhere } });
      expect(ended.code, ended.stderr).to.equal(2);
      expect(ended.stderr.trim().split('\n')).to.deep.equal([
        `✗ No folder for temporary files can be created in ${nowhere}: it does not exist.`,
        '  Name a folder that you may write to in the variable TMPDIR.',
      ]);
    }
  });

  it('a working directory that was deleted is told in one sentence', async () => {
    const project = new Project({ 'a.eval.ts': source });
    const gone = ['bash', '-c', 'rmdir "$PWD"; exec "$@"', 'bash'];
    const commands = [['run'], ['serve'], ['sessions'], ['export', 'latest'], ['config', 'path']];
    await inTurns(commands, 3, async (args) => {
      const cwd = `gone-${args[0]}`;
      mkdirSync(project.path(cwd));
      const ended = await project.assay(args, { cwd, through: gone });
      expect(ended.code, ended.stderr).to.equal(2);
      expect(ended.stderr).to.include('✗ The working directory no longer exists.');
      expect(ended.stderr).not.to.match(/^\s+at |uv_cwd/m);
    });
  });
});
