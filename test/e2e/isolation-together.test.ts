import { spawn } from 'node:child_process';
import { expect } from 'chai';
import { Project } from '../helpers/project.js';

const folders = new URL('../../dist/store/folders.js', import.meta.url).href;

describe('several runs that start together', () => {
  it('share a results directory that is not there yet', async () => {
    const project = new Project({
      'a.eval.ts': `import { evaluation } from 'assay';\nexport const one = evaluation({}, () => {});`,
    });
    const runs = await Promise.all([1, 2, 3, 4].map(() => project.run()));
    const ids = new Set(runs.map(({ run }) => run.run_id));
    expect(ids).to.have.property('size', 4);
    const listed = await project.assay(['sessions', 'show', 'default', '--json']);
    for (const id of ids) expect(listed.stdout).to.include(id);
  });

  it('may make its folders at the very same moment', async () => {
    const { folder } = new Project();
    const script = `
import { makeFolder } from ${JSON.stringify(folders)};
const startAt = Number(process.argv[1]);
while (Date.now() < startAt);
for (let n = 0; n < 300; n += 1) makeFolder(${JSON.stringify(folder)} + '/' + n + '/.assay/sessions/default');
`;
    const startAt = String(Date.now() + 500);
    const codes = await Promise.all(
      [1, 2, 3].map(
        () =>
          new Promise<number | null>((resolve) => {
            const args = ['--input-type=module', '-e', script, startAt];
            const child = spawn(process.execPath, args, { stdio: 'ignore' });
            child.on('close', resolve);
          }),
      ),
    );
    expect(codes).to.deep.equal([0, 0, 0]);
  });
});
