import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Project, ProjectWithoutHosts } from '../helpers/project.js';

const env = {
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'acme/bot',
  GITHUB_SHA: '4e0b7aa',
};

describe('--comment', () => {
  let project: Project;
  const comment = () => readFileSync(join(project.folder, 'comment.md'), 'utf8');

  before(async () => {
    project = new ProjectWithoutHosts({
      'a.eval.ts': `import { evaluation } from 'assay';
export const tone = evaluation({
  cases: [0, 1, 2, 3].map((n) => ({ id: 'c' + n, input: n })),
  params: { limit: 4 },
  target: (ctx) => ctx.input,
  evaluators: [(ctx) => ({ key: 'low', passed: ctx.output < Number(process.env.LIMIT ?? ctx.params.limit) })],
});
`,
    });
    await project.assay(['run', '--run-name', 'before', '--bless', 'base.json']);
  });

  for (const args of [
    ['run', '--run-name', 'after', '--baseline', 'base.json', '--fail-under', '0.8'],
    ['sessions', 'gate', 'after', '--baseline', 'base.json', '--fail-under', '0.8'],
    ['sessions', 'compare', 'base.json', 'after'],
  ]) {
    it(`writes the verdict, the figures and links to regressions: ${args.slice(0, 2).join(' ')}`, async () => {
      await project.assay([...args, '--comment', 'comment.md'], { env: { ...env, LIMIT: '3' } });
      const text = comment();
      const title =
        args[1] === 'compare'
          ? /^### after: not worse beyond chance$/
          : /### ❌ after: 1 of 1 gate failed/;
      expect(text).to.match(/^<!-- assay comment [0-9a-f]{16} -->\n/);
      expect(text.split('\n')[1]).to.match(title);
      expect(text).to.include('| pass rate | before | 100.0 % |');
      const source = 'https://github.com/acme/bot/blob/4e0b7aa/a.eval.ts#L2';
      expect(text).to.include(`- **[tone\\[c3\\]](${source})** regressed`);
    });
  }

  it('says that the baseline is older than the setting allows, as the terminal and JSON do', async () => {
    const old = readFileSync(join(project.folder, 'base.json'), 'utf8');
    const made = old.replace(/"date": "[^"]*"/, '"date": "2020-01-01T00:00:00Z"');
    writeFileSync(join(project.folder, 'old.json'), made);
    const says = /baseline \w+ before is [\d,]+ days old, more than baseline_max_age_days \(30\)/;
    const set = { env: { ASSAY_BASELINE_MAX_AGE_DAYS: '30' } };
    const gate = ['sessions', 'gate', 'before', '--comment', 'comment.md', '--json', '--baseline'];
    const gated = await project.assay([...gate, 'old.json'], set);
    expect(gated.code, gated.stderr).to.equal(0);
    expect(gated.stderr.replace(/\s+/g, ' ')).to.match(says);
    expect(JSON.parse(gated.stdout).baseline_stale).to.match(/^is [\d,]+ days old/);
    expect(comment().replaceAll('\\', '')).to.match(says);
    const fresh = await project.assay([...gate, 'base.json'], set);
    expect(JSON.parse(fresh.stdout)).to.not.have.property('baseline_stale');
    const compare = ['sessions', 'compare', 'old.json', 'before'];
    const compared = await project.assay([...compare, '--json'], set);
    expect(JSON.parse(compared.stdout).runs[0].stale).to.match(/^is [\d,]+ days old/);
    expect((await project.assay(compare)).stdout).to.not.include('days old');
  });

  it('says of a part that it is one, and does not replace the comment of the whole run', async () => {
    const gate = ['sessions', 'gate', 'before', '--fail-under', '0.8', '--comment', 'comment.md'];
    await project.assay(gate);
    const [mark, title] = comment().split('\n');
    expect(title).to.equal('### ✅ before: 1 gate passed');
    const { stdout } = await project.assay([...gate, '--where', 'input<2', '--json']);
    expect(JSON.parse(stdout)).to.include({ run_name: 'before', part_of: 4 });
    const [ofPart, part, , counts] = comment().split('\n');
    expect(part).to.equal('### ✅ before, 2 of 4 results: 1 gate passed');
    expect(counts).to.match(/^2 of 4 results · /);
    expect(ofPart).to.not.equal(mark);
  });

  for (const [what, args] of [
    ['a run', ['--fail-under', '0.8']],
    ['several variants', ['--param', 'limit=4,2', '--fail-under', '0']],
  ] as const) {
    it(`does not keep the reports of before where ${what} cannot begin`, async () => {
      const report = ['--comment', 'comment.md', '--reporter', 'junit=junit.xml'];
      await project.assay(['run', 'a.eval.ts', ...args, ...report]);
      const [mark, passed] = comment().split('\n');
      expect(passed).to.include('✅');
      project.write('broken.eval.ts', "import './nope.js';");
      const { code } = await project.assay(['run', ...args, ...report]);
      project.remove('broken.eval.ts');
      expect(code).to.equal(2);
      expect(comment().split('\n').slice(0, 2)).to.deep.equal([mark, '### ❔ assay: no outcome']);
      expect(project.has('junit.xml')).to.equal(false);
    });
  }

  it('removes the comment of before where there is no run to judge', async () => {
    const gate = ['sessions', 'gate', 'nope', '--fail-under', '0', '--comment', 'comment.md'];
    expect((await project.assay(gate)).code).to.equal(2);
    expect(project.has('comment.md')).to.equal(false);
  });

  it('has the table of variants', async () => {
    await project.assay(['run', '--param', 'limit=4,2', '--comment', 'comment.md']);
    expect(comment()).to.match(/^<!-- .* -->\n### .*: no gate\n\n\|.*variant \| passed/);
  });

  it('of a saved group is that of the run of it, as the job summary and the outputs are', async () => {
    const files = ['comment.md', 'summary.md', 'outputs.txt'] as const;
    const written = {
      GITHUB_STEP_SUMMARY: project.path(files[1]),
      GITHUB_OUTPUT: project.path(files[2]),
    };
    const set = { env: { ...env, ...written } };
    const reports = ['--comment', 'comment.md', '--reporter', 'github', '--fail-under', '0.9'];
    const reported = async (...args: string[]) => {
      for (const file of files) project.write(file, '');
      const ended = await project.assay([...args, ...reports], set);
      expect(ended.code, ended.stderr).to.equal(1);
      return files.map((file) => project.read(file));
    };
    const ran = await reported('run', '--param', 'limit=4,2');
    const name = /^run_id=([a-z]+-[a-z]+)\nverdict=failed\npass_rate=1\n$/.exec(ran[2] ?? '')?.[1];
    expect(ran[0]).to.include(`### ❌ ${name}: 1 of 2 gates failed`);
    expect(await reported('sessions', 'gate', name ?? '')).to.deep.equal(ran);
    const part = await reported('sessions', 'gate', name ?? '', '--where', 'input<4');
    expect(part[2]).to.equal(ran[2]);
  });
});
