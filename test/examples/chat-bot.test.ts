import { expect } from 'chai';
import { passes } from '../../src/model/result.js';
import { runExample } from './run-example.js';

describe('examples/chat-bot', () => {
  it('forgets the order in a long conversation only, from the recordings of the checkout', async () => {
    const { results, usage } = await runExample('examples/chat-bot', '--offline');
    expect(usage).to.include({ calls: 0, cost: 0 });
    expect(results).to.have.length(7);
    const failed = results.filter(({ result }) => !passes(result));
    expect(failed.map(({ function: name }) => name)).to.deep.equal(['dialogues[long]']);
    const [{ output, scores } = { output: null, scores: [] }] = failed.map(({ result }) => result);
    expect(output).to.be.an('array').with.length(10);
    expect(scores.map(({ key, passed }) => `${key} ${passed}`)).to.deep.equal([
      'solved false',
      'asks_once false',
      'short true',
    ]);
  });
});
