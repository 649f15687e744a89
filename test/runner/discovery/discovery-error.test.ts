import { expect } from 'chai';
import { DiscoveryError } from '../../../src/runner/discovery/discovery-error.js';

const failures = (count: number, messageOf: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => ({ file: `${at}.eval.ts`, message: messageOf(at) }));

describe('DiscoveryError', () => {
  it('says once what is wrong with several files', () => {
    const error = new DiscoveryError(
      [{ file: 'own.eval.ts', line: 4, message: 'Error: own' }, ...failures(200, () => 'Error: k')],
      300,
      [],
    );
    expect(error.message).to.equal(
      'own.eval.ts could not be imported (line 4):\nError: own\n\n' +
        '0.eval.ts, 1.eval.ts, 2.eval.ts and 197 more could not be imported:\nError: k',
    );
    expect(error.hints).to.deep.equal(['201 of 300 files failed; nothing was run.']);
  });

  it('says of few files how to leave them out', () => {
    const error = new DiscoveryError(
      failures(2, () => 'Error: k'),
      3,
      [],
    );
    expect(error.message).to.equal('0.eval.ts, 1.eval.ts could not be imported:\nError: k');
    expect(error.hints[1]).to.equal(
      'Fix it, or leave it out: --ignore 0.eval.ts --ignore 1.eval.ts',
    );
  });

  it('names only some of many different errors', () => {
    const { message } = new DiscoveryError(
      failures(50, (at) => `Error: ${at}`),
      50,
      [],
    );
    expect(message.split('\n\n')).to.have.length(11);
    expect(message).to.match(/\n\n40 more files could not be imported\.$/);
  });
});
