import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
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
      const title = args[1] === 'compare' ? /### .* after: / : /### ❌ after: 1 of 1 gate failed/;
      expect(text).to.match(/^<!-- assay comment [0-9a-f]{16} -->\n/);
      expect(text.split('\n')[1]).to.match(title);
      expect(text).to.include('| pass rate | before | 100.0 % |');
      const source = 'https://github.com/acme/bot/blob/4e0b7aa/a.eval.ts#L2';
      expect(text).to.include(`- **[tone\\[c3\\]](${source})** regressed`);
    });
  }

  for (const [what, id, sent] of [
    ['writes the comment of the first run', '', 'repos/acme/bot/issues/7/comments'],
    ['replaces it from then on', '41', '--method PATCH repos/acme/bot/issues/comments/41'],
  ] as const) {
    it(`is published by the step in the docs, which ${what}`, () => {
      const folder = mkdtempSync(join(tmpdir(), 'assay-comment-'));
      const mark = '<!-- assay comment 0123456789abcdef -->';
      writeFileSync(join(folder, 'comment.md'), `${mark}\n### verdict\n`);
      // Answers a search, and records everything else.
      const gh = `#!/bin/sh\ncase "$*" in *--jq*) echo "$MARK $*" >>search; echo "$ID";; *) echo "$*" >>sent;; esac\n`;
      writeFileSync(join(folder, 'gh'), gh, { mode: 0o755 });
      const { status, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', commentStep()], {
        cwd: folder,
        env: {
          PATH: `${folder}:${process.env.PATH}`,
          ID: id,
          GITHUB_REPOSITORY: 'acme/bot',
          PULL_REQUEST: '7',
        },
        encoding: 'utf8',
      });
      expect(status, stderr).to.equal(0);
      const read = (name: string) => readFileSync(join(folder, name), 'utf8');
      expect(read('search'))
        .to.match(new RegExp(`^${mark} api .*bot`))
        .and.include('startswith(env.MARK)');
      expect(read('sent')).to.equal(`api ${sent} --field body=@comment.md\n`);
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

  it('has the table of variants', async () => {
    await project.assay(['run', '--param', 'limit=4,2', '--comment', 'comment.md']);
    expect(comment()).to.match(/^<!-- .* -->\n### .*: no gate\n\n\|.*variant \| passed/);
  });
});

function commentStep(): string {
  const text = readFileSync('docs/comparing.md', 'utf8');
  const [, block = ''] = /## A gate in GitHub Actions\n\n```yaml\n(.*?)```/s.exec(text) ?? [];
  const steps: { name?: string; run?: string }[] = parse(block).jobs.evals.steps;
  return steps.find(({ name }) => name === 'Comment')?.run ?? '';
}
