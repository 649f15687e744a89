import { once } from 'node:events';
import { expect } from 'chai';
import { collect, spawnChild } from '../spawn-child.js';

async function answer(text: string): Promise<{ said: string; asked: string }> {
  const child = spawnChild('ask');
  const [said, asked] = [collect(child.stdout), collect(child.stderr)];
  child.stdin?.end(text);
  await once(child, 'close');
  return { said: said(), asked: asked() };
}

describe('confirm', () => {
  it('takes y and yes for yes, and everything else, the end of the input too, for no', async () => {
    const answers = await Promise.all(['y\n', ' YES \n', 'n\n', '\n', 'yess\n', ''].map(answer));
    expect(answers.map(({ said }) => said)).to.deep.equal([
      'true',
      'true',
      'false',
      'false',
      'false',
      'false',
    ]);
    expect(answers[0]?.asked).to.include('Delete it? [y/N] ');
  });
});
