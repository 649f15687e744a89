import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { Project } from '../helpers/project.js';

const folders = new URL('../../dist/store/folders.js', import.meta.url).href;

describe('several runs that start together', () => {
  it('share a results directory that is not there yet', async () => {
    const project = new Project({
      'a.eval.ts': `import { evaluation } from 'assay';\nexport const one = evaluation({}, () => {});`,
    });
    const runs = await Promise.all([project.run(), project.run()]);
    const ids = new Set(runs.map(({ run }) => run.run_id));
    expect(ids).to.have.property('size', 2);
    const listed = await project.assay(['sessions', 'show', 'default', '--json']);
    for (const id of ids) expect(listed.stdout).to.include(id);
  });

  it('may make its folders at the very same moment', async () => {
    const project = new Project();
    const go = project.path('go');
    const script = `
import { existsSync } from 'node:fs';
import { makeFolder } from ${JSON.stringify(folders)};
process.stdout.write('ready');
while (!existsSync(${JSON.stringify(go)}));
for (let n = 0; n < 300; n += 1) makeFolder(${JSON.stringify(project.folder)} + '/' + n + '/.assay/sessions/default');
`;
    const children = [1, 2, 3].map(() =>
      spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    const ends = children.map((child) => once(child, 'exit'));
    await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
    project.write('go', '');
    for (const end of ends) expect(await end).to.deep.equal([0, null]);
  });
});
