import { expect } from 'chai';
import { Project, ProjectWithoutHosts } from '../helpers/project.js';

const why = `The answer must mention the window of thirty days, must not promise an exception, and ${'has to be polite, '.repeat(12)}even to a rude customer.`;

const files = {
  'node_modules/lib/package.json': '{ "name": "lib", "type": "module", "exports": "./index.js" }',
  'node_modules/lib/index.js': `
function deep(n, then) { return n === 0 ? then() : deep(n - 1, then); }
export const viaLib = (then) => deep(30, then);
export async function request() { await null; return deep(30, () => { throw new TypeError('bad request'); }); }
`,
  'evals/customers/refunds.eval.ts': `
import { evaluation } from 'assay';
import { request, viaLib } from 'lib';

async function callModel() {
  return await request();
}
export const refundWindow = evaluation({
  cases: [30, 31].map((days) => ({
    id: 'customer_with_a_long_history_of_returns_day_' + days,
    input: 'Can I return this? I bought it ' + days + ' days ago and have the receipt with me',
    reference: { eligible: days === 30, note: 'the window closes at the end of day thirty' },
  })),
  target: () => ({ eligible: 'unknown', note: 'please ask somebody who knows about these things' }),
  evaluators: [function exact() { return { passed: false, notes: ${JSON.stringify(why)} }; }],
});
export const throwsInLib = evaluation({ target: () => callModel() });
export const throwsBelowLib = evaluation({ target: () => viaLib(() => { throw new RangeError(${JSON.stringify(why)}); }) });
`,
};

const compared = `
import { evaluation } from 'assay';
const is = process.env.ANSWER;
export const answer = evaluation({
  cases: [{ id: ${JSON.stringify(`a_case_with_a_name_that_tells_${'it_all_'.repeat(12)}`)} }],
  target: () => [...'abcdefgh'].map((letter) => letter + is + ' of the window of thirty days').join('; '),
  evaluators: [() => ({ key: ${JSON.stringify(`a score ${'with a long name '.repeat(4)}`.trim())}, passed: is === 'yes' })],
});
`;
const longNames = ['before', 'after'].map((when) => `nightly ${'of the branch '.repeat(5)}${when}`);

const rowOf = (text: string, day: number) =>
  text.split('\n').find((line) => line.startsWith('  ✗ ') && line.includes(`day_${day}]`)) ?? '';

/** The width of the widest line that is no command to copy, which stays whole. */
const widest = (text: string) =>
  Math.max(...text.split(/\r?\n/).map((line) => (line.startsWith('  assay ') ? 0 : line.length)));

describe('what a run says of failures and errors', () => {
  let stderr: string;
  before(async () => {
    ({ stderr } = await new Project(files).assay(['run'], { env: { CI: '1' } }));
  });

  it('is whole where there is no terminal', () => {
    for (const day of [30, 31]) {
      const row = rowOf(stderr, day);
      expect(row).to.include(`refundWindow[customer_with_a_long_history_of_returns_day_${day}]`);
      expect(row).to.include(`I bought it ${day} days ago and have the receipt with me`);
      expect(row).to.include('please ask somebody who knows about these things');
      expect(row).to.include('the window closes at the end of day thirty');
    }
    expect(stderr).to.match(/^ {4}evaluation +score +latency +input +output +reference$/m);
    expect(stderr).to.include(`exact: ${why}\n`);
    expect(stderr).to.include(`RangeError: ${why}\n`);
    expect(stderr.replace(/… \d+ frames of lib/g, '')).to.not.include('…');
  });

  it('begins stacks with the frames of the user and folds those of packages', () => {
    const [, inLib = ''] = /\n( {2}! throwsInLib\n(?: {3,}.*\n)*)/.exec(stderr) ?? [];
    expect(inLib.split('\n').slice(0, 5)).to.deep.equal([
      '  ! throwsInLib',
      '    TypeError: bad request',
      '      6 │ return await request();',
      '      at async callModel (evals/customers/refunds.eval.ts:6:10)',
      '      … 33 frames of lib',
    ]);
    const [, below = ''] = /\n( {2}! throwsBelowLib\n(?: {3,}.*\n)*)/.exec(stderr) ?? [];
    const [line, thrown, target, folded] = below.split('\n').slice(2);
    expect(line).to.match(/^ {6}18 │ export const throwsBelowLib = /);
    expect(thrown).to.match(/^ {6}at <anonymous> \(evals\/customers\/refunds\.eval\.ts:18:/);
    expect(target).to.match(/^ {6}at target \(evals\/customers\/refunds\.eval\.ts:18:/);
    expect(folded).to.equal('      … 32 frames of lib');
  });
});

describe('what a comparison says', () => {
  let project: Project;
  const [older = '', newer = ''] = longNames;
  const answers = (answer: string) => ({ CI: '1', ANSWER: answer });
  const whole = [
    /a_case_with_a_name_that_tells_(it_all_){12}/,
    /a score (with a long name ){3}with a long name/,
    /\[-ayes-\]\{\+ano\+\}/,
    /\[-hyes-\]\{\+hno\+\}/,
    new RegExp(older),
    new RegExp(newer),
  ];
  let ran: string;
  before(async () => {
    project = new ProjectWithoutHosts({ 'c.eval.ts': compared });
    await project.assay(['run', '--run-name', older], { env: answers('yes') });
    const args = ['run', '--run-name', newer, '--baseline', older];
    ran = (await project.assay(args, { env: answers('no') })).stderr;
  });

  it('after a run is whole where there is no terminal', () => {
    const [, comparison = ''] = ran.split(/^(?= {2}\S.* against )/m);
    for (const text of whole) expect(comparison).to.match(text);
    expect(comparison).to.not.include('…');
  });

  it('of saved runs is whole where there is no terminal, and fits into COLUMNS', async () => {
    const { stdout } = await project.assay(['compare', older, newer]);
    for (const text of whole) expect(stdout).to.match(text);
    expect(stdout).to.not.include('…');
    const narrow = await project.assay(['compare', older, newer], { env: { COLUMNS: '90' } });
    expect(widest(narrow.stdout)).to.be.within(70, 90);
  });
});
