import { expect } from 'chai';
import type { JsonObject } from '../../src/model/result.js';
import { Project } from '../helpers/project.js';

interface Log {
  readonly stream: string;
  readonly text: string;
  readonly at: string;
}

function logs(traceData: JsonObject): readonly Log[] {
  return (traceData.logs ?? []) as unknown as readonly Log[];
}

function printed(traceData: JsonObject, stream?: string): string {
  const own = logs(traceData).filter((log) => stream === undefined || log.stream === stream);
  return own.map((log) => log.text).join('');
}

describe('what evaluations print', () => {
  it('is kept with each, in order, also when a hundred of them take turns', async () => {
    const project = new Project({
      'turns.eval.ts': `
import { promisify } from 'node:util';
import { readFile } from 'node:fs';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const turn = evaluation(
  { cases: Array.from({ length: 100 }, (_, n) => ({ id: String(n), input: n })) },
  async ({ input: n }) => {
    console.log('log', n);
    await wait(n % 7);
    console.info('info %d', n);
    process.stdout.write('write ' + n + '\\n');
    await promisify(readFile)('package.json');
    process.stdout.write(Buffer.from('buffer ' + n + '\\n'));
    process.stdout.write(new Uint8Array(Buffer.from('bytes ' + n + '\\n')));
    process.stdout.write(Buffer.from('hex ' + n + '\\n').toString('hex'), 'hex');
    await new Promise((resolve) => process.stdout.write('callback ' + n + '\\n', () => { console.log('in callback', n); resolve(); }));
    await new Promise((resolve) => process.stdout.write('both ' + n + '\\n', 'utf8', resolve));
    await new Promise((resolve) => setImmediate(() => queueMicrotask(() => { console.log('nested', n); resolve(); })));
    const errored = wait(3).then(() => console.error('error', n));
    await Promise.all([errored, wait(3).then(() => errored).then(() => console.warn('warn', n))]);
    console.dir({ n });
    console.table([{ n }]);
  },
);
`,
    });
    const { run, stderr } = await project.run(['-c', '100']);
    for (const [n, row] of run.results.entries()) {
      const out = printed(row.result.trace_data, 'stdout');
      expect(out, row.function).to.match(
        new RegExp(
          `^log ${n}\ninfo ${n}\nwrite ${n}\nbuffer ${n}\nbytes ${n}\nhex ${n}\ncallback ${n}\nin callback ${n}\nboth ${n}\nnested ${n}\n\\{ n: ${n} \\}\n`,
        ),
      );
      expect(printed(row.result.trace_data, 'stderr'), row.function).to.equal(
        `error ${n}\nwarn ${n}\n`,
      );
    }
    expect(run.total_passed).to.equal(100);
    expect(stderr).not.to.match(/in callback|nested/);
  });

  it('is cut at 256 KiB with a marker, in many lines or in one piece', async () => {
    const project = new Project({
      'much.eval.ts': `
import { evaluation } from 'assay';
export const lines = evaluation({}, () => { for (let n = 0; n < 30_000; n += 1) console.log('line', n); });
export const piece = evaluation({}, () => { process.stdout.write('€'.repeat(100_000)); console.log('after'); });
export const fits = evaluation({}, () => { process.stdout.write('x'.repeat(256 * 1024)); });
export const quiet = evaluation({}, () => {});
`,
    });
    const { result } = await project.run();
    for (const name of ['lines', 'piece']) {
      const entries = logs(result(name).trace_data);
      const text = entries.map((log) => log.text).join('');
      expect(Buffer.byteLength(text), name).to.be.within(262_100, 262_300);
      expect(entries.at(-1)?.text, name).to.match(/^… \[cut: more than 256 KiB printed\]\n$/);
      expect(text, name).not.to.include('after');
    }
    expect(printed(result('lines').trace_data)).to.match(/^line 0\nline 1\n/);
    expect(printed(result('fits').trace_data)).to.have.lengthOf(262_144);
    expect(result('quiet').trace_data).to.deep.equal({});
  });

  it('is kept as it is, with a time, and shown with --verbose, without what a terminal would obey', async () => {
    const project = new Project({
      'colours.eval.ts': `
import { evaluation } from 'assay';
console.log('at import');
console.error('at import, to stderr');
export const red = evaluation({}, () => { console.log('\\u001b[31mred\\u001b[0m and \\u001b]0;title\\u0007rest'); });
`,
      'round.eval.ts': `
import { writeSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { evaluation } from 'assay';
export const direct = evaluation({}, () => { writeSync(1, 'straight to the descriptor\\n'); });
export const child = evaluation({}, () => { spawnSync('echo', ['by a child'], { stdio: 'inherit' }); });
`,
    });
    const verbose = await project.run(['--verbose']);
    project.write('assay.yaml', 'verbose: true\n');
    const quiet = await project.run(['--no-verbose']);
    const [log, ...others] = logs(verbose.result('red').trace_data);
    expect(others, 'what files print when they are imported').to.deep.equal([]);
    expect(log?.at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(log?.text).to.equal('\u001b[31mred\u001b[0m and \u001b]0;title\u0007rest\n');
    expect(verbose.stderr).to.match(/red.*red.* and .*rest/);
    for (const text of ['\u001b', '\u0007']) expect(verbose.stderr).not.to.include(text);
    expect(quiet.stderr).not.to.include('at import').and.not.include('rest');
    // Nothing reaches the run JSON on stdout by any way round.
    for (const { run, stdout } of [quiet, verbose]) {
      expect(run.total_passed).to.equal(3);
      expect(stdout.startsWith('{')).to.equal(true);
      expect(stdout).not.to.match(/straight to|by a child/);
    }
  });

  it('by a grandchild, more of it than the parent may take, does not grow the parent', async () => {
    const project = new Project({
      'loud.eval.ts': `
import { spawn } from 'node:child_process';
import { evaluation } from 'assay';
export const loud = evaluation({}, (ctx) => new Promise((resolve) => {
  const child = spawn('sh', ['-c', 'yes 0123456789012345678901234567890123456789 | head -c 250000000 >&2'], { stdio: ['ignore', 'inherit', 'inherit'] });
  child.on('exit', (code) => { ctx.output = code; resolve(); });
}));
`,
      // Unlike maxRSS, VmHWM leaves out the peak of the process that started this one.
      'memory.mjs': `
import { readFileSync } from 'node:fs';
process.on('exit', () => {
  const [, peak] = /^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  process.stderr.write('peak ' + peak + '\\n');
});
`,
    });
    const { result, stderr } = await project.run([], {
      node: ['--import', `${project.folder}/memory.mjs`],
    });
    expect(result('loud')).to.include({ status: 'completed', output: 0 });
    const peak = Number(/^peak (\d+)$/m.exec(stderr)?.[1]) / 1024;
    expect(peak, 'MB').to.be.within(30, 200);
  }).timeout(120_000);
});
