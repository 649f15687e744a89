import { expect } from 'chai';
import {
  foldRepetitions,
  framePlace,
  frameText,
  parseStackFrame,
  repetitionText,
  type StackFrame,
} from '../../src/text/stack-frame.js';

const parse = (line: string) => parseStackFrame(`    at ${line}`) as StackFrame;

describe('frames of a stack', () => {
  it('say where they are, relative to a folder, and whose they are', () => {
    const rows: [string, string, string, string][] = [
      ['deep (/a/evals/b.ts:4:46)', '/a', 'at deep (evals/b.ts:4:46)', 'user'],
      ['async /a/b.ts:4:46', '/a', 'at async b.ts:4:46', 'user'],
      ['deep (file:///a/b%20c.ts:4:46)', '/a', 'at deep (b c.ts:4:46)', 'user'],
      ['f (/ab/c.ts:1:2)', '/a', 'at f (/ab/c.ts:1:2)', 'user'],
      ['f (/a/b.ts:1:2)', '', 'at f (/a/b.ts:1:2)', 'user'],
      ['new F (C:\\a\\b\\c.ts:1:2)', 'C:\\a', 'at new F (b/c.ts:1:2)', 'user'],
      ['f (file:///C:/a/b.ts:1:2)', 'C:\\a', 'at f (b.ts:1:2)', 'user'],
      ['x (/a/node_modules/@s/p/i.js:1:1)', '/a', 'at x (node_modules/@s/p/i.js:1:1)', '@s/p'],
      ['file:///a/b.ts?again=2:4:46', '/a', 'at b.ts:4:46', 'user'],
      ['<anonymous> (/a/b.ts:1:2)', '/a', 'at <anonymous> (b.ts:1:2)', 'user'],
      ['C.f [as g] (/my (new) a/b.ts:1:2)', '', 'at C.f [as g] (/my (new) a/b.ts:1:2)', 'user'],
      ['eval (eval at run (/a/b.ts:1:2), <anonymous>:1:1)', '/a', 'at eval (b.ts:1:2)', 'user'],
      [
        'f (eval at g (eval at h (file:///a/b.ts:1:2), <anonymous>:1:1), <anonymous>:2:2)',
        '/a',
        'at f (b.ts:1:2)',
        'user',
      ],
      ['x (C:\\node_modules\\@s\\p\\i.js:1:1)', 'C:', 'at x (node_modules/@s/p/i.js:1:1)', '@s/p'],
      [
        'x (/a/node_modules/.pnpm/b@1/node_modules/b/i.js:1:1)',
        '/z',
        'at x (/a/node_modules/.pnpm/b@1/node_modules/b/i.js:1:1)',
        'b',
      ],
      ['async Promise.all (index 0)', '/a', 'at async Promise.all (index 0)', 'runtime'],
      ['async node:internal/x:1:2', '/a', 'at async node:internal/x:1:2', 'runtime'],
      ['Array.map (<anonymous>)', '/a', 'at Array.map (<anonymous>)', 'runtime'],
      ['node:internal/x:1:2', '/a', 'at node:internal/x:1:2', 'runtime'],
    ];
    for (const [line, folder, text, owner] of rows) {
      const frame = parse(line);
      expect(frameText(frame, folder)).to.equal(text);
      expect(frame.owner, line).to.equal(owner);
    }
    expect(framePlace(parse('f (/a/b.ts:1:2)'), '/a')).to.equal('b.ts:1:2');
    expect(parseStackFrame('Error: at x (/a/b.ts:1:2)')).to.equal(undefined);
    expect(parseStackFrame('at the end')).to.equal(undefined);
  });

  it('that repeat are there once, also those of functions that call each other', () => {
    const [a, b, c] = ['a (/x.ts:1:1)', 'b (/x.ts:2:2)', 'c (/x.ts:3:3)'] as const;
    const told = (...lines: string[]) =>
      foldRepetitions(lines.map(parse)).map((one) =>
        [...one.frames.map(({ line }) => line), repetitionText(one)].join(' '),
      );
    expect(told(a, ...Array<string>(30).fill(b), c)).to.deep.equal(['1 ', '2 ×30', '3 ']);
    expect(told(a, a, b)).to.deep.equal(['1 ', '1 ', '2 ']);
    expect(told(c, ...Array.from({ length: 7 }, (_, n) => (n % 2 ? b : a)))).to.deep.equal([
      '3 ',
      '1 2 … these 2 frames 3 times',
      '1 ',
    ]);
    expect(told()).to.deep.equal([]);
  });
});
