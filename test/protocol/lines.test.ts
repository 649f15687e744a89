import { expect } from 'chai';
import { LineSplitter, maxLineBytes } from '../../src/protocol/lines.js';

function split(chunks: readonly (string | Buffer)[]): { lines: string[]; overflows: number } {
  const lines: string[] = [];
  let overflows = 0;
  const splitter = new LineSplitter(
    (line) => lines.push(line),
    () => {
      overflows += 1;
    },
  );
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  return { lines, overflows };
}

describe('LineSplitter', () => {
  it('finds lines wherever chunks end', () => {
    const text = Buffer.from('one\ntwö 日本\n\nlast\n');
    for (let size = 1; size <= text.length; size += 1) {
      const chunks: Buffer[] = [];
      for (let at = 0; at < text.length; at += size) chunks.push(text.subarray(at, at + size));
      expect(split(chunks).lines).to.deep.equal(['one', 'twö 日本', '', 'last']);
    }
  });

  it('waits for the end of a line', () => {
    expect(split(['no end']).lines).to.deep.equal([]);
  });

  it('gives up on a line without end', () => {
    const chunk = Buffer.alloc(maxLineBytes / 2 + 1, 'x');
    expect(split([chunk, chunk]).overflows).to.equal(1);
  });
});
