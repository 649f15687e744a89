import { expect } from 'chai';
import { parseReporters } from '../../../src/cli/reporters/parse-reporters.js';
import { refusal } from '../../store/builders.js';

describe('parseReporters', () => {
  const free = { isStdoutTaken: false };

  it('reads names, with a file for junit', () => {
    expect(parseReporters(['github', 'junit=out/a=b.xml', 'junit'], free)).to.deep.equal([
      { name: 'github' },
      { name: 'junit', file: 'out/a=b.xml' },
      { name: 'junit' },
    ]);
    expect(parseReporters(['junit=-'], free)).to.deep.equal([{ name: 'junit' }]);
  });

  it('refuses what is none, with a suggestion', async () => {
    for (const given of ['junti', 'github=a.txt', 'junit=', '', '=x']) {
      const { code, message } = await refusal(() => parseReporters([given], free));
      expect([code, message]).to.deep.equal([
        'usage',
        `There is no reporter ${JSON.stringify(given)}.`,
      ]);
    }
    const { hints } = await refusal(() => parseReporters(['junti'], free));
    expect(hints).to.deep.equal(['Did you mean junit?', 'They are: github, junit, junit=FILE']);
  });

  it('refuses two documents on stdout', async () => {
    const taken = { isStdoutTaken: true };
    expect((await refusal(() => parseReporters(['junit'], taken))).code).to.equal('usage');
    expect((await refusal(() => parseReporters(['junit', 'junit'], free))).code).to.equal('usage');
    expect(parseReporters(['junit=a.xml', 'github'], taken)).to.have.lengthOf(2);
  });
});
