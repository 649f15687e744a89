import { expect } from 'chai';
import { parseSearchLine } from '../../../src/model/selection/search-line.js';

/** A line, its conditions, and what is searched for. */
const lines: readonly (readonly [line: string, conditions: readonly string[], search: string])[] = [
  ['refund', [], 'refund'],
  ['metadata.tier=pro refund', ['metadata.tier=pro'], 'refund'],
  [
    'late latency>=2  status!=failed "two words"',
    ['latency>=2', 'status!=failed'],
    'late "two words"',
  ],
  ['metadata.tier="pro plus" x', ['metadata.tier=pro plus'], 'x'],
  ['metadata["a b"]=x', ['metadata["a b"]=x'], ''],
  ['input.question~/refund/i tool=hold', ['input.question~/refund/i', 'tool=hold'], ''],
  ['metadata.tier=', ['metadata.tier='], ''],
  ['"status=failed" -word', [], '"status=failed" -word'],
  [
    'a=b x>5 https://a.b/?q=1 {"order":"A-1"} k"y',
    [],
    'a=b x>5 https://a.b/?q=1 {"order":"A-1"} k"y',
  ],
];

/** A line, and what its problem says. */
const mistakes = {
  'statsu=failed': 'statsu=failed: Did you mean status=failed?',
  'metdata.tier=pro': 'metdata.tier=pro: Did you mean metadata.tier=pro?',
  'tool:hold': 'tool:hold: Did you mean tool=hold?',
  'latency>=soon': 'compares with "soon", which is no number',
} as const;

describe('a line of search', () => {
  for (const [line, conditions, search] of lines) {
    it(`splits ${line}`, () => {
      expect(parseSearchLine(line)).to.deep.equal({ conditions, search, problems: [] });
    });
  }

  it('names the field that a mistyped one may mean, and searches for the text', () => {
    for (const [line, problem] of Object.entries(mistakes)) {
      const { search, conditions, problems } = parseSearchLine(line);
      expect({ search, conditions }, line).to.deep.equal({ search: line, conditions: [] });
      expect(problems.join(), line).to.include(problem);
    }
  });
});
