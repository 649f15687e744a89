import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const faults = join(checkout, 'test/faults/preload/disk-faults.cjs');

/** How many results a run has. */
export const rows = 40;

const source = `
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const row = evaluation(
  { cases: Array.from({ length: ${rows} }, (_, n) => ({ id: String(n) })) },
  async (ctx) => { await wait(10); ctx.output = 'output ' + ctx.caseId; ctx.score('exact', true); },
);
`;

/** A project in a temporary folder, and the processes that work in it. */
export class Project {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-torture-')));
  results = join(this.folder, '.assay', 'sessions');

  constructor() {
    mkdirSync(join(this.folder, 'node_modules'));
    symlinkSync(checkout, join(this.folder, 'node_modules/assay'), 'junction');
    writeFileSync(join(this.folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    writeFileSync(join(this.folder, 'a.eval.ts'), source);
  }

  /** Starts a command; `fault`, such as `torn@7`, makes one of its changes of files go wrong. */
  start(args, fault) {
    const preload = fault === undefined ? [] : ['--require', faults];
    const child = spawn(process.execPath, [...preload, join(checkout, 'bin/run.js'), ...args], {
      cwd: this.folder,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        FAULT_ROOT: join(this.folder, '.assay'),
        ...(fault === undefined ? {} : { FAULT: fault }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) {
      child[stream].setEncoding('utf8').on('data', (text) => {
        said[stream] += text;
      });
    }
    const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...said }));
    return { child, said, ended };
  }

  /** Starts a server; `url` resolves when it says where it is, with nothing when it ends before. */
  serve(args) {
    const running = this.start(['serve', '--port', '0', '--json', ...args]);
    const { child, said, ended } = running;
    const url = new Promise((resolve) => {
      child.stdout.on('data', () => {
        const found = /"url":"([^"]+)"/.exec(said.stdout)?.[1];
        if (found !== undefined) resolve(found);
      });
      void ended.then(() => resolve(undefined));
    });
    return { ...running, url };
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
