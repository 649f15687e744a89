import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const peakMemory = fileURLToPath(new URL('./preload/peak-memory.cjs', import.meta.url));
const deadlineMilliseconds = 15 * 60_000;

/** A first run that takes longer than this many seconds is taken as the figure; nobody waits for five more. */
const slowSeconds = 30;

/**
 * Measures a row: one warm-up, then `runs` timed runs, each after one of `yardRow`, then one more with the memory probe loaded.
 * Resolves to seconds of the row and of the yard (ascending), peak memory in MB of the command's own process and of the largest
 * process it started.
 */
export async function measure(row, runs, yardRow) {
  const warmUp = await timeOnce(row);
  await row.verify?.();
  if (warmUp > slowSeconds) {
    const yard = [await timeOnce(yardRow)];
    return { ...(await measureProcesses(row)), seconds: [warmUp], yard, warm: false };
  }
  const seconds = [];
  const yard = [];
  for (let run = 0; run < runs; run += 1) {
    // In turns, because the speed of a shared machine changes.
    yard.push(await timeOnce(yardRow));
    seconds.push(await timeOnce(row));
  }
  for (const list of [seconds, yard]) list.sort((a, b) => a - b);
  return { ...(await measureProcesses(row)), seconds, yard, warm: true };
}

/** The middle of an ascending list, the mean of the two middle ones when their number is even. */
export function median(sorted) {
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

async function timeOnce(row, env = row.env) {
  await row.prepare?.();
  return (await runProcess({ ...row, env })).seconds;
}

/**
 * Runs a row once: peak memory in MB of the command's own process and of the largest process it started, CPU seconds of
 * all of them, wall seconds.
 */
export async function measureProcesses(row) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-peak-'));
  const options = [row.env?.NODE_OPTIONS, `--require=${JSON.stringify(peakMemory)}`];
  const env = {
    ...row.env,
    NODE_OPTIONS: options.filter(Boolean).join(' '),
    PEAK_MEMORY_DIR: folder,
  };
  try {
    await row.prepare?.();
    const { pid, seconds } = await runProcess({ ...row, env });
    // What it has started may end a little later.
    await delay(500);
    const exits = new Map(
      readdirSync(folder).map((name) => [
        Number(name),
        readFileSync(join(folder, name), 'utf8').split(' ').map(Number),
      ]),
    );
    const cpu = [...exits.values()].reduce((sum, [, seconds]) => sum + seconds, 0);
    const [parent] = exits.get(pid) ?? [];
    exits.delete(pid);
    const children = [...exits.values()].map(([kilobytes]) => kilobytes);
    const child = children.length > 0 ? Math.max(...children) / 1024 : undefined;
    return { parent: parent && parent / 1024, child, cpu, seconds };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a command to its end, its output going to a file; resolves to wall seconds and pid, rejects when it fails. */
export async function runProcess({ command, cwd, env, output }) {
  const file = openSync(output, 'w');
  const started = process.hrtime.bigint();
  const child = spawn(command[0], command.slice(1), {
    cwd,
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', file, file],
    timeout: deadlineMilliseconds,
  });
  const { code, seconds } = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      resolve({ code: signal ?? code, seconds: Number(process.hrtime.bigint() - started) / 1e9 });
    });
  });
  closeSync(file);
  if (code !== 0) {
    const tail = readFileSync(output, 'utf8').trim().slice(-2000);
    throw new Error(`${command.join(' ')} ended with ${code}\n${tail}`);
  }
  return { seconds, pid: child.pid };
}

/** The environment without what would change a run: settings of assay and options for Node. */
function cleanEnvironment() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('ASSAY_') && name !== 'NODE_OPTIONS',
  );
  return { ...Object.fromEntries(kept), NO_COLOR: '1' };
}
