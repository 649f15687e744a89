import { readdirSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { endServing, type Serving, serve, untilState } from '../e2e/serve-process.js';
import { removeProjects, until } from '../helpers/project.js';
import { times } from '../helpers/rounds.js';

const source = `
import { evaluation } from 'assay';
export const row = evaluation(
  { cases: Array.from({ length: 20 }, (_, n) => ({ id: String(n) })) },
  (ctx) => { ctx.output = ctx.caseId.padStart(500, '.'); },
);
`;

/** What a server opens and keeps at first is there after so many. */
const first = 60;
const more = times(24);
/** A listing knows every run, of a few kilobytes each; and what is garbage varies. */
const mostGrown = 1_000_000 + 10_000 * more;

async function post(url: string, path: string): Promise<{ readonly run_id: string }> {
  const response = await fetch(`${url}${path}`, { method: 'POST' });
  expect(response.status, await response.clone().text()).to.be.lessThan(300);
  return (await response.json()) as { run_id: string };
}

async function read(url: string, path: string): Promise<void> {
  const response = await fetch(`${url}${path}`);
  expect(response.status, await response.text()).to.equal(200);
}

/** Starts runs, waits for the end of each, and reads it in the ways in which clients do. */
async function runAndRead({ url }: Serving, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const { run_id } = await post(url, '/api/runs/new');
    await untilState(url, 'finished');
    await read(url, `/api/runs/${run_id}/rows?search=..7`);
    await read(url, `/api/runs/${run_id}/export/csv`);
  }
  await read(url, '/api/sessions/default/runs');
}

function descriptorsOf({ child }: Serving): number {
  return readdirSync(`/proc/${child.pid}/fd`).length;
}

/** The fewest there are within some seconds: runs that are too many are closed when nobody has used them for a moment. */
async function settledDescriptors(serving: Serving): Promise<number> {
  const seen: number[] = [];
  for (let time = 0; time < 14; time += 1) {
    await delay(500);
    seen.push(descriptorsOf(serving));
  }
  return Math.min(...seen);
}

async function usedMemory({ child, project }: Serving): Promise<number> {
  rmSync(project.path('heap.txt'), { force: true });
  child.kill('SIGUSR2');
  await until(() => project.has('heap.txt') && project.read('heap.txt') !== '', 'the heap size');
  return Number(project.read('heap.txt'));
}

describe(`a server that executes ${first + more} runs`, () => {
  afterEach(async () => {
    await endServing();
    removeProjects();
  });

  it('keeps as many files open, and as much in memory, as after the first ones', async () => {
    const preload = fileURLToPath(new URL('../faults/preload/heap-size.cjs', import.meta.url));
    const node = ['--expose-gc', '--require', preload];
    const serving = await serve({ 'a.eval.ts': source }, [], { HEAP_FILE: 'heap.txt' }, { node });
    await runAndRead(serving, first);
    const descriptors = await settledDescriptors(serving);
    const memory = await usedMemory(serving);
    await runAndRead(serving, more);
    expect(await settledDescriptors(serving)).to.be.at.most(descriptors);
    const grown = (await usedMemory(serving)) - memory;
    expect(grown).to.be.lessThan(mostGrown);
  }).timeout(900_000);
});
