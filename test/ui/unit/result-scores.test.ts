import { expect } from 'chai';
import { gradedValue, wantedText } from '../../../ui/src/components/scores/threshold-text.js';
import {
  draftOf,
  draftVerdict,
  faultsOf,
  scoreOf,
  withScore,
} from '../../../ui/src/result/scores/score-draft.js';
import {
  faultsFrom,
  requestOf,
  faultsOf as settingFaults,
  draftOf as settingsDraft,
} from '../../../ui/src/settings/settings-draft.js';

describe('a score that is typed', () => {
  const draft = { key: ' tone ', verdict: 'fail', value: '0,25', notes: ' why ' } as const;

  it('becomes a score', () => {
    expect(scoreOf(draft)).to.deep.equal({
      key: 'tone',
      passed: false,
      value: 0.25,
      notes: 'why',
    });
    expect(draftOf({ key: 'a', value: 2 })).to.deep.equal({
      key: 'a',
      verdict: 'none',
      value: '2',
      notes: '',
    });
  });

  it('has its faults told by the field', () => {
    expect(faultsOf(draft, [])).to.deep.equal({});
    expect(faultsOf(draft, ['tone'])).to.have.keys('key');
    expect(faultsOf({ ...draft, key: ' ' }, [])).to.have.keys('key');
    expect(faultsOf({ ...draft, value: 'many' }, [])).to.have.keys('value');
    expect(faultsOf({ ...draft, verdict: 'none', value: '' }, [])).to.have.keys('verdict');
    expect(faultsOf({ ...draft, value: 'Infinity' }, [])).to.have.keys('value');
  });

  it('leaves the verdict to the threshold unless one was given', () => {
    const near = { key: 'near', value: 0.83, passed: true, threshold: 0.8 } as const;
    const typed = draftOf(near);
    expect(typed.verdict).to.equal('none');
    expect(draftOf({ ...near, passed: false }).verdict).to.equal('fail');
    expect(draftVerdict(typed, near)).to.equal(true);
    expect(draftVerdict({ ...typed, value: '.79' }, near)).to.equal(false);
    expect(draftVerdict({ ...typed, value: '' }, near)).to.equal(undefined);
    expect(draftVerdict({ ...typed, key: 'other' }, near)).to.equal(undefined);
    expect(draftVerdict(draftOf({ key: 'a', value: 2 }), { key: 'a', value: 2 })).to.equal(
      undefined,
    );
    expect(scoreOf({ ...typed, value: '.79' })).to.deep.equal({ key: 'near', value: 0.79 });
    expect(withScore([near], 0, near)[0]).to.deep.equal(near);
    expect(withScore([near], undefined, { key: 'b', value: 1 })[0]).to.deep.equal({
      key: 'near',
      value: 0.83,
      passed: true,
    });
  });

  it('takes the place of the one it was, is added, or is taken away', () => {
    const scores = [
      { key: 'a', passed: true, source: 'human' },
      { key: 'b', value: 1 },
    ] as const;
    expect(withScore(scores, 1, { key: 'b', value: 2 })).to.deep.equal([
      { key: 'a', passed: true },
      { key: 'b', value: 2 },
    ]);
    expect(withScore(scores, undefined, { key: 'c', value: 3 })).to.have.length(3);
    expect(withScore(scores, 0, undefined)).to.deep.equal([{ key: 'b', value: 1 }]);
  });
});

describe('a value with a threshold', () => {
  it('is shown as it stands to it', () => {
    expect(gradedValue(0.83, { threshold: 0.8 })).to.equal('0.83 ≥ 0.8');
    expect(gradedValue(0.62, { threshold: 0.8 })).to.equal('0.62 < 0.8');
    expect(gradedValue(0.7999, { threshold: 0.8 })).to.equal('0.7999 < 0.8');
    expect(gradedValue(412, { threshold: 500, better: 'lower' })).to.equal('412 ≤ 500');
    expect(gradedValue(1531, { threshold: 1500, better: 'lower' })).to.equal('1,531 > 1,500');
    expect(gradedValue(0.83, {})).to.equal('0.83');
    expect(wantedText({ threshold: 0.75 })).to.equal('≥ 0.75');
    expect(wantedText({ better: 'lower' })).to.equal(undefined);
  });
});

describe('settings that are typed', () => {
  const draft = settingsDraft({ concurrency: 4, results_dir: 'runs' });

  it('go back to their defaults when they are empty', () => {
    expect(requestOf(draft)).to.deep.equal({
      concurrency: 4,
      timeout: null,
      trials: null,
      results_dir: 'runs',
      completion_notifications: false,
    });
  });

  it('have their bounds', () => {
    expect(settingFaults({ ...draft, concurrency: '1000', timeout: '0.5' })).to.deep.equal({});
    expect(settingFaults({ ...draft, concurrency: '2500' })).to.deep.equal({
      concurrency: 'A whole number from 1 to 1000; 2500 is too many.',
    });
    expect(settingFaults({ ...draft, trials: '1.5' })).to.have.keys('trials');
    expect(settingFaults({ ...draft, timeout: 'long' })).to.have.keys('timeout');
    expect(settingFaults({ ...draft, timeout: '-1' })).to.have.keys('timeout');
  });

  it('are told by the field what the server refuses', () => {
    const { faults, rest } = faultsFrom([
      { pointer: '/results_dir', detail: 'cannot be made' },
      { pointer: '/other', detail: 'odd.' },
    ]);
    expect(faults).to.deep.equal({ results_dir: 'Cannot be made.' });
    expect(rest).to.deep.equal(['Odd.']);
  });
});
