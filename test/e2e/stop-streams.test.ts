import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Project, until } from '../helpers/project.js';

const evals = `
import { appendFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { evaluation } from 'assay';

const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const note = (text) => appendFileSync('notes', text + '\\n');
const timeout = 600;

async function* ticks(name) {
  try {
    for (;;) { yield name; await later(20); }
  } finally { note(name + ' ended'); }
}
const textStream = (name) => new ReadableStream({
  async pull(to) { await later(20); to.enqueue(name); },
  cancel(reason) { note(name + ' ' + reason.name); },
});

export const inTarget = Object.entries({
  textStream: () => textStream('textStream'),
  generator: () => ticks('generator'),
  node: () => Readable.from(ticks('node')),
  response: () => new Response(textStream('response').pipeThrough(new TextEncoderStream())),
  fetched: () => fetch(process.env.ENDLESS),
  silent: () => new ReadableStream({ cancel(reason) { note('silent ' + reason.name); } }),
  stuck: async function* () { yield 'one'; await new Promise(() => {}); },
}).map(([name, target]) => evaluation({ name, timeout, target: () => { note(name + ' started'); return target(); } }));
export const body = evaluation({ timeout }, (ctx) => { note('body started'); ctx.output = textStream('body'); });
`;

const names = [
  'body',
  'fetched',
  'generator',
  'node',
  'response',
  'silent',
  'stuck',
  'textStream',
] as const;

/** Writes an answer that has no end, and knows how many read it. */
async function serveEndlessly(): Promise<{ server: Server; url: string; readers: () => number }> {
  let readers = 0;
  const server = createServer((_, response) => {
    readers += 1;
    const timer = setInterval(() => response.write('more '), 20);
    response.on('close', () => {
      clearInterval(timer);
      readers -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}/`, readers: () => readers };
}

function notesOf(project: Project): string[] {
  return project.has('notes') ? project.read('notes').trim().split('\n') : [];
}

/** Resolves when every stream is being read. */
function untilStarted(project: Project, readers: () => number): Promise<void> {
  return until(() => {
    const started = notesOf(project).filter((note) => note.endsWith(' started'));
    return started.length === names.length && readers() === 1;
  }, 'every stream to be read');
}

const toldSources = [
  'body AbortError',
  'generator ended',
  'node ended',
  'response AbortError',
  'silent AbortError',
  'textStream AbortError',
];

function toldIn(project: Project): string[] {
  return notesOf(project)
    .filter((note) => !note.endsWith(' started'))
    .sort();
}

describe('a run that is stopped while it reads streams', () => {
  it('has every one cancelled, and tells every source, before its process is ended', async () => {
    const { server, url: endless, readers } = await serveEndlessly();
    const project = new Project({ 'a.eval.ts': evals });
    const { child, ended } = project.start(['run', '-c', '20'], { env: { ENDLESS: endless } });
    await untilStarted(project, readers);
    child.kill('SIGINT');
    expect((await ended).code).to.equal(130);
    // A process that is ended by a signal tells no source anything.
    expect(toldIn(project)).to.deep.equal(toldSources);
    await until(() => readers() === 0, 'the connection of fetch to be closed');
    expect(await project.processesLeft()).to.deep.equal([]);
    const { statuses } = await project.exported();
    expect(Object.values(statuses)).to.deep.equal(names.map(() => 'cancelled'));
    server.close();
  });
});

describe('a stream that never waits', () => {
  it('lets its process hear of a stop', async () => {
    const project = new Project({
      'a.eval.ts': `
import { evaluation } from 'assay';
async function* nothing() { for (;;) yield ''; }
const timeout = 600;
export const floods = evaluation({ timeout, target: () => nothing() });
export const pulled = evaluation({ timeout, target: () => new ReadableStream({ pull(to) { to.enqueue(''); } }) });
export const beside = evaluation({ target: () => new Promise((resolve) => setTimeout(resolve, 20)) });
`,
    });
    const { child, ended } = project.start(['run']);
    await until(() => project.finishedResults() === 1, 'the other to finish');
    child.kill('SIGINT');
    expect((await ended).code).to.equal(130);
    expect(await project.processesLeft()).to.deep.equal([]);
  });
});
