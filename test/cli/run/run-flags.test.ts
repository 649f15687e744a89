import { expect } from 'chai';
import { withFlagValues } from '../../../src/cli/run/run-flags.js';

describe('flags with a value, or none', () => {
  for (const [given, known] of [
    [
      ['--inspect', 'a.eval.ts'],
      ['--inspect=127.0.0.1:9229', 'a.eval.ts'],
    ],
    [['--inspect-brk=0'], ['--inspect-brk=0']],
    [['--record=all'], ['--record-all']],
    [
      ['a', '--', '--inspect'],
      ['a', '--', '--inspect'],
    ],
  ] as const) {
    it(given.join(' '), () => {
      expect(withFlagValues(given)).to.deep.equal(known);
    });
  }
});
