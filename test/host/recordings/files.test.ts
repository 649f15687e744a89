import { spawnSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { expect } from 'chai';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';
import { onlyRecording, recordingsIn } from '../../helpers/recordings.js';

const evals = (prompts: Readonly<Record<string, string>>) => `
  import { evaluation } from 'assay';
  const ask = (system: string) => evaluation({
    cases: [{ id: 'x', input: 'one' }, { id: 'y', input: 'two' }],
    target: async ({ input }) => {
      const response = await fetch(process.env.PROVIDER + '/v1/chat/completions', {
        method: 'POST',
        body: JSON.stringify({ model: 'm', messages: [{ role: 'system', content: system }, { role: 'user', content: input }] }),
      });
      const answer = (await response.json()) as any;
      if (!response.ok) throw new Error(answer.error.message);
      return answer.choices[0].message.content;
    },
  });
  ${Object.entries(prompts)
    .map(([name, prompt]) => `export const ${name} = ask(${JSON.stringify(prompt)});`)
    .join('\n')}
`;

describe('files of recordings', () => {
  let provider: FakeProvider;
  let env: { readonly PROVIDER: string };
  let asked = 0;

  before(async () => {
    provider = await startFakeProvider(() => {
      asked += 1;
      return { text: `answer ${asked}` };
    });
    env = { PROVIDER: provider.url };
  });
  after(() => provider[Symbol.asyncDispose]());
  beforeEach(() => {
    asked = 0;
  });

  const outputs = async (project: Project, flag: string) => {
    const { run } = await project.run([flag], { env });
    return run.results.map(({ result }) => result.output ?? result.error);
  };

  it('are one an exchange, named by its request, and have no time and no id of an answer', async () => {
    const project = new Project({ 'a.eval.ts': evals({ greet: 'Be kind.' }) });
    await outputs(project, '--record');
    const files = recordingsIn(project.path('.assay/recordings'));
    for (const path of Object.keys(files)) {
      expect(path).to.match(/^a\.eval\.ts\/greet\/[xy]~1\/[0-9a-f]{12}-1\.json$/);
    }
    const { request, response, ...fields } = JSON.parse(Object.values(files)[0] ?? '');
    expect(fields).to.deep.equal({
      ...{ assay_recording: 2, file: 'a.eval.ts', evaluation: 'greet', case: 'x', role: 'target' },
    });
    expect(request).to.have.all.keys('method', 'url', 'body');
    expect(response.headers).to.have.all.keys('content-type');
  });

  it('stay as they are when they are recorded again, and only what is new is asked for', async () => {
    const project = new Project({ 'a.eval.ts': evals({ greet: 'Be kind.', part: 'Be short.' }) });
    const first = await outputs(project, '--record');
    const before = recordingsIn(project.path('.assay/recordings'));
    expect(await outputs(project, '--record')).to.deep.equal(first);
    expect(recordingsIn(project.path('.assay/recordings'))).to.deep.equal(before);
    expect(asked).to.equal(4);
    project.write('a.eval.ts', evals({ greet: 'Be kind.', part: 'Be long.' }));
    const edited = await project.run(['--record'], { env });
    const [x, y, ...changed] = edited.run.results.map(({ result }) => result.output);
    expect([x, y]).to.deep.equal(first.slice(0, 2));
    expect(changed).to.deep.equal(['answer 5', 'answer 6']);
    expect(edited.stderr).to.include('2 recordings were not asked for by their cases. To remove');
    const both = recordingsIn(project.path('.assay/recordings'));
    expect(both).to.include(before);
    expect(Object.keys(both)).to.have.length(6);
    const kept = project.copy();
    const pruned = await kept.assay(['recordings', 'prune', '--unused-by', 'latest', '--yes']);
    expect(pruned.stdout).to.equal('2 exchanges removed\n');
    // All is asked for anew, and what is asked for no more is gone.
    expect(new Set(await outputs(project, '--record=all'))).to.have.property('size', 4);
    expect(asked).to.equal(10);
    const anew = recordingsIn(project.path('.assay/recordings'));
    expect(Object.keys(anew)).to.have.length(4);
    expect(Object.keys(both)).to.include.members(Object.keys(anew));
  });

  it('of the first version answer, and the next --record rewrites them', async () => {
    const project = new Project({ 'a.eval.ts': evals({ greet: 'Be kind.' }) });
    const first = await outputs(project, '--record');
    const exchangeOf = (id: string) => {
      const path = onlyRecording(project, `a.eval.ts/greet/${id}~1`);
      const { role, request, response } = JSON.parse(project.read(path));
      const when = { recorded_at: '2026-11-23T01:55:50.757Z', duration: 0.1 };
      return { name: '01-target-24c624c7', role, ...when, request, response };
    };
    const before = recordingsIn(project.path('.assay/recordings'));
    for (const id of ['x', 'y']) {
      const about = { file: 'a.eval.ts', evaluation: 'greet', case: id, trial: 1 };
      const recording = { assay_recording: 1, ...about, exchanges: [exchangeOf(id)] };
      project.remove(`.assay/recordings/a.eval.ts/greet/${id}~1`);
      project.write(`.assay/recordings/a.eval.ts/greet/${id}~1.json`, JSON.stringify(recording));
    }
    const old = recordingsIn(project.path('.assay/recordings'));
    for (const flag of ['--offline', '--replay']) {
      expect(await outputs(project, flag)).to.deep.equal(first);
      expect(recordingsIn(project.path('.assay/recordings'))).to.deep.equal(old);
    }
    const listed = await project.assay(['recordings']);
    expect(listed.stdout).to.match(/a\.eval\.ts::greet +2 .* 2$/m);
    // Another case asks for the same, and uses what is recorded.
    project.write('a.eval.ts', evals({ greet: 'Be kind.' }).replace("id: 'x'", "id: 'z'"));
    expect(await outputs(project, '--offline')).to.deep.equal(first);
    const pruned = await project.assay(['recordings', 'prune', '--unused-by', 'latest', '--yes']);
    expect(pruned.stderr).to.include('There is nothing to remove.');
    project.write('a.eval.ts', evals({ greet: 'Be kind.' }));
    expect(await outputs(project, '--record')).to.deep.equal(first);
    expect(recordingsIn(project.path('.assay/recordings'))).to.deep.equal(before);
    expect(asked).to.equal(2);
  });

  it('of branches that change prompts, the same one too, merge without a conflict', async () => {
    const settings = { 'assay.yaml': 'recordings_dir: recordings\n', '.gitignore': '.assay\n' };
    const prompts = { greet: 'Be kind.\n\n\n\nSay hello.', part: 'Be short.' };
    const project = new Project({ 'a.eval.ts': evals(prompts), ...settings });
    const git = (...args: string[]) => {
      const name = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
      const { status, stdout, stderr } = spawnSync('git', [...name, ...args], {
        ...{ cwd: project.folder, encoding: 'utf8' },
      });
      return { status, text: stdout + stderr };
    };
    const commit = async (branch: string, changed: typeof prompts) => {
      git('checkout', '-q', '-b', branch, 'main');
      project.write('a.eval.ts', evals(changed));
      await outputs(project, '--record');
      // The code is merged by people.
      git('checkout', 'main', '--', 'a.eval.ts');
      git('add', '-A');
      git('commit', '-q', '-m', branch);
    };
    git('init', '-q', '-b', 'main');
    await outputs(project, '--record');
    git('add', '-A');
    git('commit', '-q', '-m', 'main');
    await commit('part', { ...prompts, part: 'Be long.' });
    await commit('greet', { ...prompts, greet: 'Be kind.\n\n\n\nSay goodbye.' });
    await commit('again', { ...prompts, greet: 'Be very kind.\n\n\n\nSay hello.' });
    git('checkout', '-q', 'main');
    for (const branch of ['part', 'greet', 'again']) {
      const { status, text } = git('merge', '-q', '--no-edit', branch);
      expect(status, text).to.equal(0);
    }
    for (const changed of [{ greet: 'Be very kind.\n\n\n\nSay hello.' }, { part: 'Be long.' }]) {
      project.write('a.eval.ts', evals({ ...prompts, ...changed }));
      const { run } = await project.run(['--offline'], { env });
      expect(run.total_errors).to.equal(0);
    }
  });

  it('of a case that is renamed answer where its files are renamed', async () => {
    const project = new Project({ 'a.eval.ts': evals({ greet: 'Be kind.' }) });
    const first = await outputs(project, '--record');
    const folder = (id: string) => project.path(`.assay/recordings/a.eval.ts/greet/${id}~1`);
    renameSync(folder('y'), folder('z'));
    project.write('a.eval.ts', evals({ greet: 'Be kind.' }).replace("id: 'y'", "id: 'z'"));
    expect(await outputs(project, '--offline')).to.deep.equal(first);
  });
});
