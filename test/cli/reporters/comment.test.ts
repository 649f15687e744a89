import { expect } from 'chai';
import { renderComment, renderGroupComment } from '../../../src/cli/reporters/comment.js';
import type { GateVerdict } from '../../../src/model/gates/gate-verdict.js';
import { graded, type SavedRow, savedRun } from '../saved-run.js';

const github = {
  GITHUB_WORKFLOW: 'evals',
  GITHUB_JOB: 'gate',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'acme/bot',
  GITHUB_SHA: '4e0b7aa',
  GITHUB_WORKSPACE: '/repo',
};
const gitlab = {
  CI_JOB_NAME: 'gate',
  CI_PROJECT_URL: 'https://gitlab.com/acme/bot',
  CI_COMMIT_SHA: '4e0b7aa',
  CI_PROJECT_DIR: '/repo',
};

async function commentOf(
  rows: readonly SavedRow[],
  { env = {}, verdicts = [] }: { env?: NodeJS.ProcessEnv; verdicts?: readonly GateVerdict[] },
): Promise<string> {
  const run = await savedRun(rows);
  const outcome = { run, verdicts, comparison: undefined };
  const text = renderComment(outcome, { cwd: '/repo/packages/my bot', env });
  await run.close();
  return text;
}

const yes = { verdict: 'yes', text: 'pass rate 100 %' } as const;
const no = { verdict: 'no', text: 'pass rate 50 % is under 80 %' } as const;
const cannot = { verdict: 'cannot-tell', text: '3 calls are not priced' } as const;

describe('renderComment', () => {
  for (const [title, verdicts, rows] of [
    ['### ❌ brisk-otter: 1 of 3 gates failed', [yes, no, cannot], [{ end: graded(false) }]],
    ['### ❔ brisk-otter: 1 of 2 gates cannot be judged', [yes, cannot], [{ end: graded(true) }]],
    ['### ✅ brisk-otter: 1 gate passed', [yes], [{ end: graded(true) }]],
    ['### brisk-otter: no gate', [], [{ end: graded(true) }]],
    ['### ❔ brisk-otter: 1 result not finished', [], [{ unfinished: 'cancelled' }]],
  ] as const) {
    it(`says first: ${title}`, async () => {
      const [mark, said] = (await commentOf(rows, { verdicts })).split('\n');
      expect(mark).to.match(/^<!-- assay comment [0-9a-f]{16} -->$/);
      expect(said).to.equal(title);
    });
  }

  it('has the same mark in each run of a job, and another one in another workflow', async () => {
    const marks = [];
    for (const env of [github, github, { ...github, GITHUB_WORKFLOW: 'other' }]) {
      marks.push((await commentOf([{ end: graded(true) }], { env })).split('\n', 1)[0]);
    }
    expect(marks[0]).to.equal(marks[1]);
    expect(marks[0]).to.not.equal(marks[2]);
  });

  for (const [service, env, blob] of [
    ['GitHub', github, 'https://github.com/acme/bot/blob/4e0b7aa'],
    ['GitLab', gitlab, 'https://gitlab.com/acme/bot/-/blob/4e0b7aa'],
  ] as const) {
    it(`links failures to their source on ${service}`, async () => {
      const text = await commentOf([{ plan: { line: 12 }, end: graded(false) }], { env });
      const address = `${blob}/packages/my%20bot/evals/sentiment.eval.ts#L12`;
      expect(text).to.include(`| [review\\[0\\]](${address}) | exact |`);
    });
  }

  it('stays below 60 kB and is no markup, whatever evaluations are called and return', async () => {
    const nasty = '`|<b>@team #12 ![x](http://a.b) </details>\n# t '.repeat(5).slice(0, 200);
    const rows = Array.from({ length: 300 }, (_, index) => ({
      plan: { function: `${index} ${nasty}` },
      end: {
        scores: Array.from({ length: 40 }, (_of, at) => ({
          key: `${at} ${nasty}`.slice(0, 100),
          passed: false,
          notes: nasty.repeat(20),
        })),
      },
    }));
    const text = await commentOf(rows, { env: github, verdicts: [no] });
    expect(Buffer.byteLength(text)).to.be.lessThan(60_001);
    expect(text).to.include('| failed |');
    expect(text).to.not.match(/<b>|@team|[^\\]#12|^# t|<\/details>/m);
  });

  it('closes what is open where it is cut', async () => {
    const run = await savedRun([{ end: graded(true) }]);
    const markdown = `<details><summary>Cases</summary>\n\n${'- é\n'.repeat(20_000)}\n</details>\n`;
    const comparison = { markdown, regressed: [] };
    const outcomes = [{ run, verdicts: [yes], comparison }];
    const text = renderGroupComment({ name: 'sunny-otter', outcomes, markdown: '' }, {});
    await run.close();
    expect(Buffer.byteLength(text)).to.be.within(59_000, 60_000);
    expect(text).to.match(/- é\n\n<\/details>\n\n… [\d,]+ more lines without room here\n$/);
  });
});
