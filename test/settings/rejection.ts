import { expect } from 'chai';
import type { AssayError } from '../../src/errors.js';

/** The known error that `action` ends in; fails when it ends in anything else. */
export async function knownError(action: () => unknown): Promise<AssayError> {
  try {
    await action();
  } catch (error) {
    expect(error).to.be.an('error').with.property('hints');
    return error as AssayError;
  }
  throw new Error('no error was thrown');
}
