import { expect } from 'chai';
import { AssayError } from '../../src/errors.js';
import { formatOfFile } from '../../src/exporters/index.js';

describe('the format that a file name asks for', () => {
  it('is that of its ending, in any case of letters', () => {
    const names = ['a.json', 'b/c.CSV', 'd.v2.md', 'e.otlp.jsonl'];
    expect(names.map(formatOfFile)).to.deep.equal(['json', 'csv', 'md', 'otlp']);
  });

  it('is JSON for names without an ending, such as devices and dot files', () => {
    expect(['-', 'results', '/dev/stdout', 'a.b/c', '.results'].map(formatOfFile)).to.deep.equal(
      Array(5).fill('json'),
    );
  });

  it('is refused for the ending of no format', () => {
    expect(() => formatOfFile('results.jsonl')).to.throw(AssayError, 'is called .jsonl');
    expect(() => formatOfFile('out/results.txt')).to.throw(
      AssayError,
      'No export format is called .txt',
    );
  });
});
