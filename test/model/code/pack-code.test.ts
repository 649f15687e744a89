import { expect } from 'chai';
import type { Piece } from '../../../src/model/code/evaluation-code.js';
import { isStoredCode } from '../../../src/model/code/file-code.js';
import { codesOf, packCode } from '../../../src/model/code/pack-code.js';
import { ExecutionCodes } from '../../../src/store/replay/execution-code.js';

const [node, lib, helper, a, b, grader]: readonly Piece[] = [
  ...(['node', 'lib.ts', 'lib.ts (helper)'] as const),
  ...(['a.eval.ts (a)', 'b.eval.ts (b)', 'graders.ts'] as const),
].map((name) => [name, `hash of ${name}`] as const) as [Piece, Piece, Piece, Piece, Piece, Piece];
const runtime = [node];
const shared = [lib, helper];
const graders = [grader];
const evaluationOf = (own: Piece) => ({
  target: [runtime, shared, [own]],
  grading: [graders, shared],
  isClosed: true,
});
const packed = packCode([
  [{ file: 'a.eval.ts', code: '1' }, [['a.eval.ts::a', evaluationOf(a)]]],
  [{ file: 'b.eval.ts', code: '2' }, [['b.eval.ts::b', evaluationOf(b)]]],
]);
/** As earlier rules stored it, a line for each eval file. */
const old = {
  ...{ rule: 3, file: 'a.eval.ts', code: '1', pieces: [node] },
  evaluations: { 'a.eval.ts::a': { target: [0], grading: [], isClosed: true } },
};

describe('stored code', () => {
  it('has what eval files share once', () => {
    expect(packed.pieces).to.have.members([node, lib, helper, a, b, grader]);
    expect(packed.lists).to.have.lengthOf(5);
  });

  it('is the same when it is unpacked, with what grading and target share in the target', () => {
    const codes = codesOf(packed);
    const more = { grading: [grader], isClosed: true };
    expect([...codes]).to.deep.equal([
      ['a.eval.ts::a', { target: [node, lib, helper, a], ...more }],
      ['b.eval.ts::b', { target: [node, lib, helper, b], ...more }],
    ]);
  });

  it('is found by the names of its files, in a log of any version', () => {
    const executions = new ExecutionCodes();
    const at = '2026-11-28T00:00:00.000Z';
    executions.schedule({ type: 'scheduled', at, kind: 'run', rows: 'all' }, 10, 2);
    executions.add({ type: 'code', at, ...packed }, 20, 5);
    executions.add({ type: 'code', at, ...old }, 30, 6);
    expect(executions.list[0]?.code).to.deep.equal([
      { file: 'a.eval.ts', offset: 20, length: 5, code: '1' },
      { file: 'b.eval.ts', offset: 20, length: 5, code: '2' },
      { file: 'a.eval.ts', offset: 30, length: 6, code: '1' },
    ]);
  });

  const damaged: readonly (readonly [what: string, code: unknown])[] = [
    ['a list of pieces that are not there', { ...packed, lists: [...packed.lists, [6]] }],
    ['an evaluation with a list that is not there', { ...packed, lists: packed.lists.slice(1) }],
    ['no lists', { ...packed, lists: undefined }],
    ['a piece without a hash', { ...packed, pieces: [['lib.ts']], lists: [], files: [] }],
    ['a file without a name', { ...packed, files: [{ code: '1', evaluations: {} }] }],
    ['neither files nor a file', { ...old, file: undefined }],
  ];
  for (const [what, code] of damaged) {
    it(`is damaged with ${what}`, () => expect(isStoredCode(code)).to.equal(false));
  }
  it('is whole as it was packed, or an earlier rule has stored it', () => {
    expect([packed, old].map(isStoredCode)).to.deep.equal([true, true]);
  });
});
