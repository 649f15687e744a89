import { expect } from 'chai';
import { blockForever } from '../helpers/blocking.js';
import { Project, until } from '../helpers/project.js';
import {
  leftovers,
  makeTemporaryFolder,
  type Serving,
  send,
  serve,
  untilState,
} from './serve-process.js';

const source = `
import { appendFileSync, existsSync } from 'node:fs';
import { evaluation } from 'assay';
export const quick = evaluation(
  { cases: Array.from({ length: 10 }, (_, n) => ({ id: String(n) })) },
  (ctx) => { ctx.output = 'done'; },
);
export const slow = evaluation({}, async () => {
  while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 10));
  appendFileSync('calls.txt', 'slow\\n');
  if (process.env.WAY === 'block') ${blockForever}
  await new Promise((resolve) => setTimeout(resolve, 60_000));
});
`;

/** A server that executes something that does not end, with a folder for its temporary files. */
async function serveSlow(way: 'block' | 'wait'): Promise<Serving & { temporary: string }> {
  const temporary = makeTemporaryFolder();
  const env = { WAY: way, TMPDIR: temporary };
  const serving = await serve({ 'a.eval.ts': source }, ['--start'], env);
  await until(() => serving.project.finishedResults() === 10, 'the quick ones to be saved');
  // What blocks would keep its process from telling what else has finished in it.
  serving.project.write('go', '');
  await until(() => serving.project.has('calls.txt'), 'the slow evaluation');
  return { ...serving, temporary };
}

function counted(results: readonly { readonly result: { readonly status: string } }[]) {
  const count = (status: string) => results.filter(({ result }) => result.status === status).length;
  return { completed: count('completed'), cancelled: count('cancelled'), all: results.length };
}

async function endBy(
  signal: NodeJS.Signals,
  code: number,
  way: 'block' | 'wait',
): Promise<Project> {
  const { child, ended, project, url, temporary } = await serveSlow(way);
  const events = await fetch(`${url}/api/events`);
  const reading = events.text().catch(() => 'cut');
  child.kill(signal);
  const { code: exit, stderr } = await ended;
  const what = `${signal}, ${way}: ${stderr}`;
  expect(exit, what).to.equal(code);
  expect(stderr, what).to.include('Stopping; finished results are saved');
  expect(stderr, what).not.to.match(/^\s+at /m);
  expect(await reading, what).not.to.equal('cut');
  expect(await project.processesLeft(), what).to.deep.equal([]);
  expect(leftovers(temporary), what).to.deep.equal([]);
  const { run } = await project.exported();
  expect(run.state, what).to.equal('finished');
  expect(counted(run.results), what).to.deep.equal({ completed: 10, cancelled: 1, all: 11 });
  return project;
}

describe('assay serve that is ended', () => {
  it('by SIGINT or SIGTERM saves what has finished, cancels the rest, exits with its code, and can be served again', async () => {
    await endBy('SIGTERM', 143, 'block');
    const project = await endBy('SIGINT', 130, 'wait');
    // It can be served again, and what was cancelled runs when it is run again.
    project.write('a.eval.ts', source.replace('60_000', '1'));
    const { url } = await serve(project, ['--run', 'latest']);
    const started = await send(url, 'POST', '/api/runs/rerun', { indices: [10] });
    expect(started.status).to.equal(200);
    expect(await untilState(url, 'finished')).to.include({ total_passed: 11 });
  });

  it('by a second signal ends at once', async () => {
    const { child, ended, project, stderr, temporary } = await serveSlow('block');
    child.kill('SIGINT');
    await until(() => stderr().includes('Stopping'), 'the first to be heard');
    child.kill('SIGINT');
    expect((await ended).code).to.equal(130);
    // An end in order waits for what blocks, and then takes the lock away.
    expect(project.savedText(), 'the lock').to.include('"nonce"');
    expect(await project.processesLeft()).to.deep.equal([]);
    expect(leftovers(temporary)).to.deep.equal([]);
    const { run } = await project.exported();
    expect(counted(run.results)).to.include({ completed: 10 });
    expect(run.state).to.be.oneOf(['finished', 'interrupted']);
  });

  it('when nothing runs is gone at once, with connections that are kept open', async () => {
    const temporary = makeTemporaryFolder();
    const { child, ended, url } = await serve({ 'a.eval.ts': source }, [], { TMPDIR: temporary });
    await fetch(`${url}/results`);
    expect(leftovers(temporary)).not.to.deep.equal([]);
    child.kill('SIGINT');
    const { code, signal, stderr } = await ended;
    expect([code, signal]).to.deep.equal([130, null]);
    expect(leftovers(temporary)).to.deep.equal([]);
    expect(stderr).to.include('! Stopping. Ctrl-C').and.not.include('saved');
  });

  it('while it imports leaves nothing behind', async () => {
    const temporary = makeTemporaryFolder();
    const project = new Project({
      'a.eval.ts': `import { writeFileSync } from 'node:fs';\nwriteFileSync('importing', '');\n${blockForever}\n`,
    });
    const running = project.start(['serve', '--port', '0'], { env: { TMPDIR: temporary } });
    await until(() => project.has('importing'), 'the import');
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).to.equal(130);
    expect(stdout).to.equal('');
    expect(await project.processesLeft()).to.deep.equal([]);
    expect(leftovers(temporary)).to.deep.equal([]);
  });

  it('while a restart imports leaves nothing behind', async () => {
    const { child, ended, project, url } = await serve({ 'a.eval.ts': source });
    project.write(
      'a.eval.ts',
      `import { writeFileSync } from 'node:fs';\nwriteFileSync('importing', '');\n${blockForever}\n`,
    );
    const restarting = fetch(`${url}/api/server/restart`, { method: 'POST' }).catch(
      () => undefined,
    );
    await until(() => project.has('importing'), 'the import');
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code).to.equal(130);
    expect(stderr).not.to.match(/^\s+at /m);
    await restarting;
    expect(await project.processesLeft()).to.deep.equal([]);
  });
});
