import { expect } from 'chai';
import { RecordingMisses } from '../../../src/runner/execution/recording-misses.js';

describe('requests that no recording answers', () => {
  const diagnosis = (found: number, ...befores: string[]) => {
    const misses = new RecordingMisses();
    const path = 'messages[0].content';
    misses.add({ found, missed: befores.map((before) => ({ path, before })) });
    return misses.diagnosis;
  };

  it('have a line that says where most differ', () => {
    expect(diagnosis(0, 'Today is', 'Today is')).to.match(
      /^2 requests, 0 found: messages\[0\]\.content differs in every one at "Today is"\. /,
    );
    expect(diagnosis(0, 'Be kind', 'Today is', 'Today is')).to.include(
      'differs in every one, most often at "Today is".',
    );
    expect(diagnosis(0, '', '')).to.include('differs in every one. If you changed it');
    const misses = new RecordingMisses();
    misses.add({ found: 0, missed: [{}, { path: 'model' }] });
    expect(misses.diagnosis).to.include('2 requests, 0 found: model differs in 1 of them.');
  });

  it('have none where others were found, or where one alone was not', () => {
    expect(diagnosis(1, 'Today is', 'Today is')).to.equal(undefined);
    expect(diagnosis(0, 'Today is')).to.equal(undefined);
  });
});
