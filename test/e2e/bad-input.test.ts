import { chmodSync, mkdirSync } from 'node:fs';
import { expect } from 'chai';
import { Project } from '../helpers/project.js';

const good = `
import { evaluation } from 'assay';
export const cancel = evaluation({}, () => {});
`;
const isRoot = process.getuid?.() === 0;
const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

// What is said about hundreds of others is checked in test/bad-input, within one process.
describe('bad input for a process of its own', () => {
  it('is told in plain words, ends it with exit code 2, and leaves no process behind', async () => {
    const project = new Project({ 'good.eval.ts': good });
    // Nobody may write there.
    mkdirSync(project.path('locked'));
    chmodSync(project.path('locked'), 0o555);
    chmodSync(project.folder, 0o755);
    for (const place of ['locked', 'locked/deep/down']) {
      const { code, stdout, stderr } = await project.assay(['run', '--results-dir', place], {
        through: isRoot ? asNobody : [],
      });
      expect(code, stderr).to.equal(2);
      expect(stderr).to.match(/locked.*(permission denied|cannot be written)/s);
      expect(stderr).to.not.match(/^\s+at |node:internal|dist\/(?!host\/main)|Error: .*\n\s+at/m);
      expect(stdout).to.equal('');
      expect(await project.processesLeft()).to.deep.equal([]);
    }
  });

  it('is told as JSON on stdout with --json', async () => {
    const project = new Project({ 'a.eval.ts': good });
    const { stdout, code } = await project.assay(['run', 'nowhere', '--json']);
    expect(code).to.equal(2);
    expect(JSON.parse(stdout).error).to.include({ code: 'no-such-path' });
  });
});
