import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { errorText } from '../../src/host/error-text.js';
import { describeImportFailure } from '../../src/host/import-failure.js';
import { Sanitizer } from '../../src/host/sanitizer.js';

describe('errorText', () => {
  it('has name, message and the user’s stack lines', () => {
    const error = new TypeError('not today');
    error.stack = `TypeError: not today\n    at f (/home/u/a.eval.ts:3:5)\n    at node:internal/process/task_queues:95:5`;
    expect(errorText(error)).to.equal('TypeError: not today\n    at f (/home/u/a.eval.ts:3:5)');
  });

  it('leaves out frames of assay itself', () => {
    const own = new URL('../../src/host/attempt/run-attempt.ts', import.meta.url);
    const error = new Error('x');
    error.stack = `Error: x\n    at user (/u.ts:1:1)\n    at run (${own.href}:1:2)\n    at run (${own.pathname}:1:2)`;
    expect(errorText(error)).to.equal('Error: x\n    at user (/u.ts:1:1)');
  });

  it('names causes, but not for ever', () => {
    const cycle: Error & { cause?: unknown } = new Error('around');
    cycle.cause = cycle;
    cycle.stack = '';
    expect(errorText(cycle)).to.equal(
      'Error: around\nCaused by: Error: around\nCaused by: Error: around\nCaused by: Error: around',
    );
    const outer = new Error('outer', { cause: 'a string' });
    outer.stack = '';
    expect(errorText(outer)).to.equal(
      'Error: outer\nCaused by: threw something that is not an Error: a string',
    );
  });

  for (const [name, thrown, expected] of [
    ['a string', 'oops', /not an Error: oops/],
    ['undefined', undefined, /not an Error: undefined/],
    ['null', null, /not an Error: null/],
    ['a symbol', Symbol('s'), /not an Error: Symbol\(s\)/],
    ['an object without a prototype', Object.create(null), /not an Error: an empty object$/],
    ['an object', { token: 'x' }, /not an Error: an object with "token"$/],
    [
      'an object that throws when it is looked at',
      new Proxy(
        {},
        {
          has: () => {
            throw new Error('no');
          },
        },
      ),
      /cannot be shown/,
    ],
    ['an object with a message', { message: 'almost', name: 'Kind' }, /^Kind: almost$/],
    ['an error without a message', Object.assign(new Error(''), { stack: '' }), /^Error$/],
    ['an error without a stack', Object.assign(new Error('m'), { stack: undefined }), /^Error: m$/],
    ['an error with an odd stack', Object.assign(new Error('m'), { stack: 42 }), /^Error: m$/],
  ] as const) {
    it(`has a text for ${name}`, () => {
      expect(errorText(thrown)).to.match(expected);
    });
  }

  it('keeps messages of several lines and cuts very long ones', () => {
    const lines = new Error('first\nsecond\n  third');
    expect(errorText(lines)).to.match(/^Error: first\nsecond\n {2}third\n\s+at /);
    expect(errorText(new Error('x'.repeat(1e6)))).to.have.lengthOf(16 * 1024 + 1);
  });
});

describe('describeImportFailure', () => {
  const folder = mkdtempSync(join(tmpdir(), 'import-failure-'));
  const path = join(folder, 'a.eval.ts');
  const file = { name: 'evals/a.eval.ts', path };
  const sanitizer = new Sanitizer({ TEST_API_KEY: 'secret-in-a-message' });
  after(() => rmSync(folder, { recursive: true }));

  function failing(stack: string, code?: string): Error {
    const error = new Error(stack.split('\n')[0]);
    error.stack = `Error: ${stack}`;
    return code === undefined ? error : Object.assign(error, { code });
  }

  it('takes line and column from the first frame in the file', () => {
    const error = failing(
      `no\n    at g (${folder}/b.ts:9:9)\n    at ${path}:3:7\n    at ${path}:8:1`,
    );
    expect(describeImportFailure(error, file, sanitizer)).to.include({
      file: 'evals/a.eval.ts',
      message: `Error: no\nin ${folder}/b.ts:9:9`,
      line: 3,
      column: 7,
    });
  });

  it('has no place when no frame is in the file', () => {
    const failure = describeImportFailure(failing('no\n    at /other.ts:1:1'), file, sanitizer);
    expect(failure).not.to.have.any.keys('line', 'column');
  });

  it('names a missing module as the file does, with the line', () => {
    writeFileSync(path, `import a from 'node:fs';\n\nimport { b } from '../src/b.js';\n`);
    const missing = failing(
      `Cannot find module '${join(folder, '../src/b.js')}' imported from ${path}`,
      'ERR_MODULE_NOT_FOUND',
    );
    expect(describeImportFailure(missing, file, sanitizer)).to.include({
      message: `Cannot find module '../src/b.js'`,
      line: 3,
    });
  });

  it('names the importer when it is another file', () => {
    const missing = failing(
      `Cannot find package 'left-pad' imported from ${join(folder, 'lib.ts')}`,
      'ERR_MODULE_NOT_FOUND',
    );
    const { message, line } = describeImportFailure(missing, file, sanitizer);
    expect(message).to.equal(
      `Cannot find module 'left-pad', imported by ${join(folder, 'lib.ts')}`,
    );
    expect(line).to.equal(undefined);
  });

  it('has no secrets, in message and stack', () => {
    const failure = describeImportFailure(
      failing(`with secret-in-a-message\n    at ${path}:1:1`),
      file,
      sanitizer,
    );
    expect(JSON.stringify(failure)).not.to.include('secret-in-a-message');
    expect(failure.message).to.equal('Error: with [redacted:TEST_API_KEY]');
  });
});
