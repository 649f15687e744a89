import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { blockForever } from '../helpers/blocking.js';
import { Project, until } from '../helpers/project.js';

const slow = `import { writeFileSync } from 'node:fs';
import { evaluation } from 'assay';
writeFileSync('imported', '');
if (process.env.SLOW_IMPORT) ${blockForever}
export const slow = evaluation({ cases: [1, 2, 3, 4].map((input) => ({ input })) }, async () => {
  writeFileSync('started', '');
  await new Promise((resolve) => setTimeout(resolve, Number(process.env.TAKES ?? 150)));
  throw new Error('too bad');
});`;

describe('assay run whose output is not taken', () => {
  it('goes on to its end when nobody reads either', async () => {
    const project = new Project({ 'a.eval.ts': slow });
    const { child, ended } = project.start(['run', '-c', '1', '--json']);
    child.stderr?.destroy();
    child.stdout?.destroy();
    expect((await ended).code).to.equal(0);
    const exported = (await project.assay(['export', 'latest'])).json();
    expect(exported).to.include({ state: 'finished', total_errors: 4 });
  });

  it('prints one document, the error, when the file cannot be written', async () => {
    const project = new Project({
      'a.eval.ts': `import { mkdirSync } from 'node:fs';
        import { evaluation } from 'assay';
        export const a = evaluation({}, () => mkdirSync('out.json'));`,
    });
    const { code, stdout } = await project.assay(['run', '--json', '-o', 'out.json']);
    expect(code).to.equal(2);
    expect(JSON.parse(stdout)).to.have.nested.property('error.code', 'storage-unusable');
    const exported = (await project.assay(['export', 'latest'])).json();
    expect(exported.results).to.have.lengthOf(1);
  });
});

/** Node may keep its compile cache beside them. */
function leftIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('assay-'));
}

describe('assay run --no-save', () => {
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    it(`leaves no folder and no process behind when ${signal} ends it while it imports`, async () => {
      const project = new Project({ 'a.eval.ts': slow, 'tmp/readme.txt': '' });
      const env = { TMPDIR: project.path('tmp'), SLOW_IMPORT: '1' };
      const { child, ended } = project.start(['run', '--no-save'], { env });
      await until(() => project.has('imported'), 'imported');
      expect(readdirSync(project.path('tmp')).join()).to.match(/assay-/);
      child.kill(signal);
      const { code, signal: endedBy } = await ended;
      // Nothing is to be said to a terminal that is gone.
      if (signal === 'SIGHUP') expect(endedBy).to.equal(signal);
      else expect(code).to.equal(143);
      expect(leftIn(project.path('tmp'))).to.deep.equal([]);
      expect(await project.processesLeft()).to.deep.equal([]);
    });
  }

  it('leaves no folder behind when a second Ctrl-C ends it', async () => {
    const text = slow.replace("throw new Error('too bad')", blockForever);
    const project = new Project({ 'a.eval.ts': text, 'tmp/readme.txt': '' });
    const env = { TMPDIR: project.path('tmp'), TAKES: '0' };
    const { child, ended, said } = project.start(['run', '--no-save'], { env });
    await until(() => project.has('started'), 'started');
    child.kill('SIGINT');
    await said(/Ctrl-C again ends it at once/);
    child.kill('SIGINT');
    expect((await ended).code).to.equal(130);
    expect(leftIn(project.path('tmp'))).to.deep.equal([]);
  });
});
