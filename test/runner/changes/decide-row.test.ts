import assert from 'node:assert/strict';
import type { EvaluationCode } from '../../../src/model/code/evaluation-code.js';
import {
  type BaseResult,
  type BaseRun,
  type Decision,
  decideRow,
  type PlannedRowToday,
} from '../../../src/runner/changes/decide-row.js';

const piece = (name: string, hash = '1') => [name, hash] as const;
const code: EvaluationCode = {
  target: [piece('app.ts'), piece('openai@4.1.0')],
  grading: [piece('graders.ts (tone)')],
  isClosed: true,
};
const row: PlannedRowToday = {
  id: 'a.eval.ts::one',
  evaluation: 'a.eval.ts::one',
  fingerprint: { case: 'c', grading: 'g' },
};
const ran = { code, params: 'p', changedReads: [] };
const result: BaseResult = {
  index: 7,
  isCompleted: true,
  fingerprint: { case: 'c', grading: 'g' },
  ran,
  graded: ran,
  isExact: true,
};

function baseOf(change: Partial<BaseResult> = {}, name = 'brisk-otter'): BaseRun {
  const found = { ...result, ...change };
  const run = { run_id: name, run_name: name };
  return { ...run, find: (id) => (id === row.id ? found : undefined), originOf: () => run };
}

interface Now {
  readonly today?: Partial<EvaluationCode> | 'unknown';
  readonly params?: string;
  readonly row?: Partial<PlannedRowToday>;
}

function decide(bases: readonly BaseRun[], now: Now = {}): Decision {
  const { today = {}, params = 'p' } = now;
  const codeOf = () => (today === 'unknown' ? undefined : { ...code, ...today });
  const withoutBase = 'no earlier result';
  return decideRow({ ...row, ...now.row }, bases, { params, codeOf, withoutBase });
}

/** The decision in words: `carry brisk-otter`, `regrade: …`, `run: …`. */
function words(decision: Decision): string {
  if (decision.action === 'carry') return `carry ${decision.from.run_name} ${decision.index}`;
  return `${decision.action}: ${decision.reason}`;
}

const grading = [piece('graders.ts (tone)', '2')];

describe('decideRow', () => {
  it('carries a result over when nothing is different', () => {
    assert.equal(words(decide([baseOf()])), 'carry brisk-otter 7');
  });

  it('carries the oldest of several draws of the same code, so that nobody runs until it passes', () => {
    const bases = [
      baseOf({}, 'third'),
      baseOf({ index: 3 }, 'second'),
      baseOf({ index: 1 }, 'first'),
    ];
    assert.equal(words(decide(bases)), 'carry first 1');
  });

  it('keeps an error that counts and runs it again, unless its code is out of date', () => {
    const error = { isCompleted: false, isErrorThatCounts: true };
    const repeat = 'repeat: no finished result without an error';
    assert.equal(words(decide([baseOf(error)])), repeat);
    assert.equal(words(decide([baseOf(error)], { params: 'q' })), 'run: params');
    assert.equal(words(decide([baseOf({}, 'newest'), baseOf(error)])), repeat);
  });

  it('says whether target or grading depend on what has changed, and why a row is not only graded again', () => {
    const said = (base: Partial<BaseResult>, today: Partial<EvaluationCode>) => {
      const { changed, notRegraded = '' } = decide([baseOf(base)], { today }) as Extract<
        Decision,
        { readonly action: 'run' }
      >;
      return [changed, notRegraded];
    };
    assert.deepEqual(said({}, { target: [], grading }), ['target', '']);
    const [part, open = ''] = said({}, { grading, isClosed: false });
    assert.equal(part, 'grading');
    assert.match(open, /^grading cannot be told apart/);
    assert.match(said({ isExact: false }, { grading })[1] ?? '', /^what is stored may not be all/);
    assert.deepEqual(said({ ran: { ...ran, changedReads: ['a.md'] } }, {}), [undefined, '']);
  });

  it('runs what has no earlier result', () => {
    assert.equal(words(decide([])), 'run: no earlier result');
    const decision = decide([baseOf()], { row: { id: 'a.eval.ts::other' } });
    assert.equal(words(decision), 'run: no earlier result');
  });

  const runs: readonly (readonly [string, Partial<BaseResult>, Now, string])[] = [
    ['an error', { isCompleted: false }, {}, 'no finished result without an error'],
    ['another case', {}, { row: { fingerprint: { case: 'x', grading: 'g' } } }, 'its case'],
    [
      'values that are no data',
      {},
      { row: { fingerprint: undefined } },
      'its values are not plain data',
    ],
    ['a base without a fingerprint', { fingerprint: undefined }, {}, 'its case'],
    ['other params', {}, { params: 'q' }, 'params'],
    ['calls that graders do not see', {}, { params: 'p-x' }, 'the setting capture or not_models'],
    [
      'another module',
      {},
      { today: { target: [piece('app.ts', '2'), piece('openai@4.1.0')] } },
      'app.ts',
    ],
    [
      'another version of a package',
      {},
      { today: { target: [piece('app.ts'), piece('openai@4.2.0')] } },
      'openai@4.2.0, openai@4.1.0',
    ],
    ['a module that is gone', {}, { today: { target: [piece('openai@4.1.0')] } }, 'app.ts'],
    ['something read', { ran: { ...ran, changedReads: ['prompts/a.md'] } }, {}, 'prompts/a.md'],
    [
      'something read by grading',
      { graded: { ...ran, changedReads: ['rubric.md'] } },
      {},
      'rubric.md',
    ],
    ['unknown code of today', {}, { today: 'unknown' }, 'its code is not known'],
    [
      'unknown code of then',
      { ran: { ...ran, code: undefined } },
      {},
      'the code of its last result is not known',
    ],
    ['a hazard', {}, { today: { hazard: 'starts a process' } }, 'starts a process'],
    [
      'grading that is open today',
      {},
      { today: { grading, isClosed: false } },
      'graders.ts (tone)',
    ],
    [
      'grading that was open',
      { ran: { ...ran, code: { ...code, isClosed: false } } },
      { today: { grading } },
      'graders.ts (tone)',
    ],
    [
      'an output that is not stored exactly',
      { isExact: false },
      { today: { grading } },
      'graders.ts (tone)',
    ],
  ];
  for (const [what, base, now, reason] of runs) {
    it(`runs for ${what}`, () => {
      assert.equal(words(decide([baseOf(base)], now)), `run: ${reason}`);
    });
  }

  it('regrades when only closed grading is different', () => {
    assert.equal(words(decide([baseOf()], { today: { grading } })), 'regrade: graders.ts (tone)');
    const scores = { row: { fingerprint: { case: 'c', grading: 'h' } } };
    assert.equal(words(decide([baseOf()], scores)), 'regrade: its scores');
    const graded = { ...ran, params: 'q' };
    assert.equal(words(decide([baseOf({ graded })])), 'regrade: params');
  });

  it('takes the newest base that fits, and rather carries an older one than regrade a newer one', () => {
    const old = { ...code, target: [piece('app.ts', '0'), piece('openai@4.1.0')] };
    const broken = baseOf({ isCompleted: false }, 'broken');
    const other = baseOf({ ran: { ...ran, code: old }, graded: { ...ran, code: old } }, 'other');
    assert.equal(words(decide([broken, other, baseOf()])), 'carry brisk-otter 7');
    const regradable = baseOf({ graded: { ...ran, code: { ...code, grading } } }, 'newer');
    assert.equal(words(decide([regradable, baseOf()])), 'carry brisk-otter 7');
    assert.equal(words(decide([regradable, other])), 'regrade: graders.ts (tone)');
    assert.equal(words(decide([other, broken])), 'run: app.ts');
  });

  it('names a few of many reasons', () => {
    const target = Array.from({ length: 5 }, (_, at) => piece(`${at}.ts`));
    const decision = decide([baseOf()], { today: { target } });
    assert.equal(words(decision), 'run: 0.ts, 1.ts, 2.ts, 4 more');
  });
});
