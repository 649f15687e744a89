import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Project, ProjectWithoutHosts } from '../helpers/project.js';

const evaluation = `import { evaluation } from 'assay';
export const one = evaluation({ target: () => 1 });`;
/** Code that leaves a trace when it is imported. */
const harmful = `import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify('PLACE')}, '');
${evaluation}`;

/** A project with a saved run, and its id. */
async function withRun(paths: readonly string[] = ['a.eval.ts']) {
  const project = new ProjectWithoutHosts({ 'a.eval.ts': evaluation, 'plain.ts': evaluation });
  const { json, stderr } = await project.assay(['run', ...paths, '--json']);
  expect(stderr).to.not.match(/✗/);
  return { project, id: json().run_id };
}

/** Makes the saved run ask for other paths, as one from somebody else may. */
function ask(project: Project, id: string, paths: readonly string[]): void {
  const folder = `.assay/sessions/default/${id}`;
  const log = `${folder}/results.jsonl`;
  const lines = project.read(log).split('\n');
  const header = JSON.parse(lines[0] ?? '') as { selection: object };
  header.selection = { ...header.selection, paths };
  lines[0] = JSON.stringify(header);
  project.write(log, lines.join('\n'));
  rmSync(project.path(`${folder}/run.json`), { force: true });
}

describe('the files that a saved run asks for', () => {
  let outside: string;
  let trace: string;

  before(() => {
    outside = realpathSync(mkdtempSync(join(tmpdir(), 'assay-outside-')));
    trace = join(outside, 'trace');
    writeFileSync(join(outside, 'evil.eval.mjs'), harmful.replace('PLACE', trace));
  });
  after(() => {
    rmSync(outside, { recursive: true });
  });

  async function refused(project: Project, id: string, flag: string): Promise<string> {
    const { code, stdout, stderr } = await project.assay(['run', flag, id, '--json']);
    expect(code, stderr).to.equal(2);
    expect(JSON.parse(stdout)).to.have.nested.property('error.code', 'view-only');
    return stderr;
  }

  it('may be others that the command line names, too', async () => {
    const { project, id } = await withRun(['plain.ts']);
    expect(await refused(project, id, '--rerun')).to.include('assay run plain.ts --rerun RUN');
    const { code, stderr } = await project.assay(['run', 'plain.ts', '--rerun', id]);
    expect(code, stderr).to.equal(0);
  });

  it('are checked as well when another run config makes it a new run', async () => {
    const { project, id } = await withRun();
    project.write('assay.yaml', 'configs:\n  other: {}\n');
    project.write('deploy.mjs', harmful.replace('PLACE', trace));
    ask(project, id, ['deploy.mjs']);
    const args = ['run', '--rerun', id, '--run-config', 'other'];
    const { code, stderr } = await project.assay(args);
    expect(stderr).to.match(/deploy\.mjs, which is not an eval file/);
    expect(code).to.equal(2);
    expect(() => realpathSync(trace)).to.throw(/ENOENT/);
  });
});
