import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { openStore } from '../../src/store/store.js';
import { Project } from '../helpers/project.js';
import { finished, newRun, plan } from '../store/builders.js';

const rows = 100_000;
const mebibyte = 1024 * 1024;

async function saveLongRun(root: string): Promise<string> {
  const store = await openStore(root);
  const owner = await store.createRun(newRun());
  const indices = Array.from({ length: rows }, (_, index) => index);
  const slices = Array.from({ length: rows / 1000 }, (_, at) =>
    indices.slice(at * 1000, (at + 1) * 1000),
  );
  for (const slice of slices) owner.plan(slice.map((index) => plan(index)));
  owner.schedule({ kind: 'run', rows: 'all' });
  const output = 'x'.repeat(200);
  for (const slice of slices) owner.finish(slice.map((index) => ({ ...finished(index), output })));
  await owner.close('finished');
  await owner.run.close();
  return owner.run.runId;
}

/** The most memory a process has had so far, in bytes; `undefined` when it is gone. */
function peakOf(pid: number | undefined): number | undefined {
  try {
    const [, kibibytes] =
      /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}

describe(`an export of ${rows} results`, () => {
  it('keeps of each no more in memory than where it is', async () => {
    const project = new Project();
    const runId = await saveLongRun(project.path('.assay/sessions'));
    const { child, ended } = project.start(['export', runId, '-f', 'csv', '-o', 'run.csv']);
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, peakOf(child.pid) ?? 0);
    }, 10);
    const { code, stderr } = await ended;
    clearInterval(watch);
    expect(code, stderr).to.equal(0);
    expect(project.read('run.csv').split('\n').length).to.be.greaterThan(rows);
    expect(peak).to.be.within(60 * mebibyte, 110 * mebibyte);
  }).timeout(240_000);
});
