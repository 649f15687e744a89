import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { describeImportFailure } from '../../src/host/import-failure.js';
import { Sanitizer } from '../../src/host/sanitizer.js';
import { errorText } from '../../src/host/thrown.js';

/** Returns the first error. */
function withoutStacks(...errors: [Error, ...Error[]]): Error {
  for (const error of errors) error.stack = '';
  return errors[0];
}

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
    error.stack = `Error: x\n    at Array.map (<anonymous>)\n    at user (/u.ts:1:1)\n    at #runTarget.next (<anonymous>)\n    at run.next (<anonymous>)`;
    expect(errorText(error)).to.equal(
      'Error: x\n    at Array.map (<anonymous>)\n    at user (/u.ts:1:1)',
    );
  });

  it('names causes, and each error once', () => {
    const cycle: Error & { cause?: unknown } = new Error('around');
    cycle.cause = new Error('twice', { cause: cycle });
    withoutStacks(cycle, cycle.cause as Error);
    expect(errorText(cycle)).to.equal(
      'Error: around\nCaused by: Error: twice\nCaused by: Error: around (the error above)',
    );
    const deep = ['f', 'e', 'd', 'c', 'b', 'a'].reduce(
      (cause: Error | undefined, name) => withoutStacks(new Error(name, { cause })),
      undefined,
    );
    expect(errorText(deep).split('\nCaused by: ')).to.deep.equal(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `Error: ${name}`),
    );
    const outer = new Error('outer', { cause: 'a string' });
    outer.stack = '';
    expect(errorText(outer)).to.equal(
      'Error: outer\nCaused by: threw something that is not an Error: a string',
    );
  });

  it('shows the errors that an error collects, indented', () => {
    const first = withoutStacks(new Error('one\ntwo'));
    first.stack = 'Error: one\ntwo\n    at f (/u.ts:1:1)';
    const inner = withoutStacks(new AggregateError([first, 'text'], 'inner'));
    const outer = withoutStacks(new AggregateError([inner, first], 'outer', { cause: inner }));
    expect(errorText(outer)).to.equal(
      [
        'AggregateError: outer',
        '  1 of 2: AggregateError: inner',
        '    1 of 2: Error: one',
        '    two',
        '        at f (/u.ts:1:1)',
        '    2 of 2: threw something that is not an Error: text',
        '  2 of 2: Error: one',
        '  two (the error above)',
        'Caused by: AggregateError: inner (the error above)',
      ].join('\n'),
    );
    const many = Array.from({ length: 102 }, () => withoutStacks(new Error('m')));
    const text = errorText(withoutStacks(new AggregateError(many, 'many')));
    expect(text).to.match(/\n {2}100 of 102: Error: m\n {2}… and 2 more$/);
  });

  it('shows the error of a disposal and the one that it suppressed', () => {
    const suppressed = Object.assign(withoutStacks(new Error('both')), {
      name: 'SuppressedError',
      error: withoutStacks(new Error('dispose')),
      suppressed: withoutStacks(new Error('block')),
    });
    expect(errorText(suppressed)).to.equal(
      'SuppressedError: both\n  Thrown by the disposal: Error: dispose\n  Suppressed by it: Error: block',
    );
  });

  for (const [name, thrown, expected] of [
    ['an object with a code', { code: 429, message: 'slow' }, /not an Error: slow \(code 429\)$/],
    [
      'the body of an answer',
      { error: { message: 'no credit', code: 'quota' } },
      /not an Error: no credit \(code quota\)$/,
    ],
    [
      'a Response',
      new Response('', { status: 503, statusText: 'Busy' }),
      /not an Error: a Response with status 503 Busy$/,
    ],
    ['an instance', new Map(), /not an Error: an instance of Map$/],
    [
      'an object with a status',
      { status: 503, body: 'x' },
      /not an Error: an object with "status", "body" \(status 503\)$/,
    ],
    [
      'a list of errors',
      [withoutStacks(new Error('one')), 'two'],
      /an array\n {2}1 of 2: Error: one\n {2}2 of 2: threw something that is not an Error: two$/,
    ],
    [
      'an error with a list that holds no errors',
      Object.assign(withoutStacks(new Error('m')), { errors: ['x'] }),
      /^Error: m$/,
    ],
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
