import { expect } from 'chai';
import { loadCompiler } from '../../../src/host/loader/compile.js';

const blamesNpm = 'Cannot find native binding. npm has a bug related to optional dependencies';

function missing(name: string, cause?: Error): Error {
  return new Error(`Cannot find module '${name}'\nRequire stack:\n- /a.js`, { cause });
}

function failureOf(cause: unknown): string {
  try {
    loadCompiler('oxc-transform', () => {
      throw new Error(blamesNpm, { cause });
    });
  } catch (error) {
    return String(error);
  }
  throw new Error('it must fail');
}

describe('loadCompiler', () => {
  it('says that an optional dependency is not installed', () => {
    expect(failureOf(missing('./a.node', missing('@oxc-transform/binding-x')))).to.match(
      /^Error: the program of oxc-transform for \w+-\w+ is not installed, because it is an optional dependency: install again with npm install --include=optional$/,
    );
  });

  it('names why an installed one does not start', () => {
    const cause = missing('./a.node', new Error('version `GLIBC_2.38` not found'));
    expect(failureOf(cause)).to.match(/could not be loaded: version `GLIBC_2\.38` not found$/);
    const list = [missing('./a.node'), new Error('invalid ELF header')];
    expect(failureOf(list)).to.match(/could not be loaded: invalid ELF header$/);
    expect(failureOf([missing('./a.node'), missing('@a/b')])).to.match(/is not installed/);
  });
});
