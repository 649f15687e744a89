import assert from 'node:assert/strict';
import { readdirSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  editsOfCode,
  editsOfFiles,
  editsOfLate,
  type HandEdit,
  packages,
} from '../fingerprints/hand-edits.js';
import { Project } from '../helpers/project.js';

describe('assay run --changed after edits by hand', function () {
  this.timeout(180_000);

  const all = [...editsOfCode, ...editsOfFiles];

  it('runs what they can change', () =>
    check(all.filter(({ expected }) => expected === undefined)));

  it('runs what those of modules can change that are loaded, or missing, in an attempt', () =>
    check(
      editsOfLate,
      editsOfLate.map((one) => [one]),
    ));

  it('carries the rest, or only grades it again', () =>
    check(all.filter(({ expected }) => expected !== undefined)));

  it('runs what a tsconfig.json changes that the settings name', async () => {
    const options = (useDefineForClassFields: boolean) =>
      JSON.stringify({ compilerOptions: { useDefineForClassFields } });
    const project = new Project({
      'assay.yaml': 'tsconfig: ./own.json\n',
      'own.json': options(true),
      'a.eval.ts': `
        import { evaluation } from 'assay';
        class A { v: unknown; }
        export const e = evaluation({ target: () => 'v' in new A() });`,
    });
    await project.run();
    assert.deepEqual(
      (await actions(project)).map(([, action]) => action),
      ['carry'],
    );
    project.write('own.json', options(false));
    assert.deepEqual(
      (await actions(project)).map(([, action]) => action),
      ['run'],
    );
  });

  const base = { ONE: 'fast-and-secret', TZ: 'UTC' };
  const asked = [
    ['by its name', '', '[process.env.ONE, process.env.COLUMNS]'],
    ['in a copy of all variables', 'const copy = { ...process.env };', 'copy.ONE'],
    [
      'in a list of all variables',
      '',
      "Object.entries(process.env).filter(([name]) => name === 'ONE')",
    ],
    [
      'in a loop',
      '',
      '(() => { for (const k in process.env) if (k === "ONE") return process.env[k]; })()',
    ],
  ] as const;

  it('runs what variables and options of Node change', async () => {
    const evals = asked.map(([, head, target], at) => [
      `e${at}.eval.ts`,
      `import { evaluation } from 'assay'; ${head} export const e = evaluation({ target: () => ${target} });`,
    ]);
    const project = new Project({
      ...Object.fromEntries(evals),
      'none.eval.ts':
        "import { evaluation } from 'assay'; export const e = evaluation({ target: () => new Date(0).getHours() });",
      'setup.mjs': '',
      'node_modules/newrelic/package.json': '{"name":"newrelic","version":"1.0.0"}',
      'node_modules/newrelic/index.js': '',
    });
    const traced = { ...base, NODE_OPTIONS: '--require newrelic' };
    const imported = { ...base, NODE_OPTIONS: '--require newrelic --import ./setup.mjs' };
    await project.run([], { env: base });
    const ran = async (env: Readonly<Record<string, string>>) =>
      (await actions(project, env)).map(([, action]) => action === 'run');
    const all = [...asked.map(() => true), true];
    assert.deepEqual(
      await ran(base),
      all.map(() => false),
    );
    assert.deepEqual(await ran({ ...base, ONE: '2' }), [...asked.map(() => true), false]);
    assert.ok(!project.savedText().includes(`"hash":"${base.ONE}"`));
    assert.deepEqual(
      await ran({ ...base, GITHUB_RUN_ID: '1' }),
      all.map(() => false),
    );
    assert.deepEqual(
      await ran({ ...base, COLUMNS: '40' }),
      all.map((_, at) => at === 0),
    );
    assert.deepEqual(await ran({ ...base, TZ: 'Asia/Tokyo' }), all);
    assert.deepEqual(await ran({ ...base, LANG: 'de_DE.UTF-8' }), all);
    assert.deepEqual(await ran({ ...base, NODE_PATH: '/other' }), all);
    assert.deepEqual(await ran(imported), all);
    // Nobody sees what the others read.
    await project.run([], { env: imported });
    assert.deepEqual(await ran(imported), all);
    const [[, , reason] = []] = await actions(project, imported);
    assert.match(String(reason), /^preloads \.\/setup\.mjs, of which assay does not see/);
    await project.run([], { env: traced });
    assert.deepEqual(
      await ran(traced),
      all.map(() => false),
    );
    project.write('node_modules/newrelic/package.json', '{"name":"newrelic","version":"2.0.0"}');
    assert.deepEqual(await ran(traced), all);
  });
});

/** Makes edits, each in a folder of its own, in groups of which each is undone before the next; by default, all at once. */
async function check(
  edits: readonly HandEdit[],
  groups: readonly (readonly HandEdit[])[] = [edits],
): Promise<void> {
  const project = new Project(packages);
  const folderOf = (one: HandEdit) => `f${String(edits.indexOf(one)).padStart(2, '0')}`;
  const write = (one: HandEdit, files: HandEdit['edit'], version: 0 | 1) => {
    for (const [name, text] of Object.entries(files)) {
      const path = `${folderOf(one)}/${name}`;
      if (text === null) project.remove(path);
      else project.write(path, text);
    }
    for (const [name, leadsTo] of Object.entries(one.links ?? {})) {
      const path = project.path(folderOf(one), name);
      rmSync(path, { force: true });
      symlinkSync(leadsTo[version], path);
    }
  };
  for (const one of edits) write(one, one.files, 0);
  const { run } = await project.run();
  for (const { id, result } of run.results) assert.equal(result.status, 'completed', id);
  for (const [id, action, reason] of await actions(project)) {
    const isCarried = action === 'carry' || reason === 'starts a process';
    assert.ok(isCarried, `before: ${action} ${reason} ${id}`);
  }
  const wrong: string[] = [];
  for (const group of groups) {
    for (const one of group) write(one, one.edit, 1);
    const found = await actions(project, {}, group.map(folderOf));
    assert.ok(found.length >= group.length);
    for (const [id, action, reason = ''] of found) {
      const made = group.find((one) => id.startsWith(`${folderOf(one)}/`));
      assert.ok(made, id);
      // What counts for others, too, would hide whether an edit was noticed.
      const isOwn = !/^f\d+\//.test(reason) || reason.startsWith(folderOf(made));
      if (action === (made.expected ?? 'run') && isOwn) continue;
      wrong.push(`${made.title}: ${action} ${reason} ${id}`);
    }
    for (const one of group) {
      const before = Object.keys(one.edit).map((name) => [name, one.files[name] ?? null]);
      write(one, Object.fromEntries(before), 0);
      removeEmptyFolders(project.path(folderOf(one)));
    }
  }
  assert.deepEqual(wrong, []);
}

/** An edit may have made them. */
function removeEmptyFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

/** What `--changed` would do with each result. */
async function actions(project: Project, env = {}, paths: readonly string[] = []) {
  const args = ['run', ...paths, '--changed', '--list', '--json'];
  const ended = await project.assay(args, { env });
  assert.equal(ended.code, 0, ended.stderr);
  const { evaluations } = JSON.parse(ended.stdout) as {
    evaluations: { id: string; changed: { action: string; reason?: string } }[];
  };
  return evaluations.map(({ id, changed }) => [id, changed.action, changed.reason] as const);
}
