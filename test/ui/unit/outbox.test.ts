import { expect } from 'chai';
import { ServerGone } from '../../../ui/src/api/problem.js';
import { type LabelToSend, Outbox } from '../../../ui/src/review/outbox.js';

const label = (index: number, verdict: LabelToSend['verdict'] = 'pass'): LabelToSend => ({
  index,
  key: 'tone',
  verdict,
  note: '',
});

/** Waits for what promises that have been kept bring about. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('outbox of labels', () => {
  let sent: LabelToSend[];
  let answer: () => Promise<{ passed: boolean }>;
  let outbox: Outbox;

  beforeEach(() => {
    sent = [];
    answer = async () => ({ passed: true });
    outbox = new Outbox((given) => {
      sent.push(given);
      return answer();
    });
  });
  const give = (...labels: LabelToSend[]) =>
    outbox.give(labels.map((one) => ({ label: one, before: undefined })));
  const states = () => outbox.read().labels.map(({ index, state }) => `${index} ${state}`);

  it('sends labels in their order, and keeps what the judge said', async () => {
    give(label(1));
    give(label(2), label(3));
    expect(states()).to.deep.equal(['1 waiting', '2 waiting', '3 waiting']);
    await settled();
    expect(sent.map(({ index }) => index)).to.deep.equal([1, 2, 3]);
    expect(states()).to.deep.equal(['1 saved', '2 saved', '3 saved']);
    expect(outbox.read().labels[0]?.judge).to.deep.equal({ passed: true });
  });

  it('keeps them while the server is gone, and sends them again', async () => {
    answer = () => Promise.reject(new ServerGone());
    give(label(1));
    give(label(2));
    await settled();
    expect(states()).to.deep.equal(['1 waiting', '2 waiting']);
    expect(outbox.read().isAway).to.equal(true);
    answer = async () => ({ passed: false });
    outbox.retry();
    await settled();
    expect(states()).to.deep.equal(['1 saved', '2 saved']);
    expect(outbox.read().isAway).to.equal(false);
  });

  it('says why the server refused one, and goes on', async () => {
    answer = () =>
      Promise.reject(new Error('The rubric of tone has changed.')).finally(() => {
        answer = async () => ({ passed: true });
      });
    give(label(1));
    give(label(2));
    await settled();
    expect(states()).to.deep.equal(['1 refused', '2 saved']);
    expect(outbox.read().labels[0]?.problem).to.equal('The rubric of tone has changed.');
    outbox.dismiss();
    expect(states()).to.deep.equal(['2 saved']);
  });

  it('takes steps back, to the label that was there before', async () => {
    give(label(1), label(2));
    outbox.give([{ label: label(3, 'fail'), before: label(3, 'unsure') }]);
    expect(outbox.undo()?.index).to.equal(3);
    expect(outbox.undo()?.index).to.equal(1);
    expect(outbox.undo()).to.equal(undefined);
    await settled();
    expect(sent.slice(3).map(({ index, verdict }) => `${index} ${verdict}`)).to.deep.equal([
      '3 unsure',
      '1 null',
      '2 null',
    ]);
    expect(outbox.read().canUndo).to.equal(false);
  });
});
