import { Flags, Parser } from '@oclif/core';
import { expect } from 'chai';
import { readKnownError, type ShownError } from '../../src/cli/known-error.js';
import { AssayError } from '../../src/errors.js';

const flags = {
  only: Flags.option({
    options: ['failed', 'errors'] as const,
    relationships: [{ type: 'some', flags: ['rerun', 'regrade'] }],
  })(),
  rerun: Flags.string({ exclusive: ['regrade'] }),
  regrade: Flags.string(),
};

/** What is shown of the error that parsing these arguments gives. */
async function shown(...argv: string[]): Promise<ShownError | undefined> {
  try {
    await Parser.parse(argv, { flags, strict: true });
  } catch (error) {
    return readKnownError(error);
  }
  return expect.fail('nothing is refused');
}

describe('readKnownError', () => {
  it('takes code, message and hints of an AssayError as they are', () => {
    const error = new AssayError('no-such-run', 'There is no run x.', { hints: ['Try y.'] });
    expect(readKnownError(error)).to.deep.equal({
      code: 'no-such-run',
      message: 'There is no run x.',
      hints: ['Try y.'],
    });
  });

  it('says first what is wrong with flags, not that something is', async () => {
    const alone = await shown('--only', 'failed');
    expect(alone).to.include({ code: 'usage', message: '--only needs --rerun or --regrade.' });
    const both = await shown('--rerun', 'a', '--regrade', 'b');
    expect(both?.message).to.equal('--regrade and --rerun cannot be given together.');
    expect(both?.hints).to.deep.equal(['See more help with --help']);
  });

  it('suggests flags and values that are near', async () => {
    expect((await shown('--regrad', 'x'))?.hints[0]).to.match(/^Did you mean --regrade/);
    const value = await shown('--only', 'faild', '--rerun', 'x');
    expect(value?.hints).to.include('Did you mean failed?');
  });

  it('is undefined for a bug', () => {
    expect(readKnownError(new TypeError('x is not a function'))).to.equal(undefined);
    expect(readKnownError('thrown text')).to.equal(undefined);
  });
});
