import { expect } from 'chai';
import { type LoadedByWorker, Loading } from '../../../src/runner/local/loading.js';
import { FakeClock } from '../../helpers/fake-clock.js';

/** An import with a deadline of a second, and what has become of it. */
function begin() {
  const seen = { slow: [] as string[], late: 0, loaded: undefined as LoadedByWorker | undefined };
  const loading = new Loading({
    deadlineMs: 1000,
    redact: (text) => text,
    onSlow: (file) => seen.slow.push(file),
    onDeadline: () => {
      seen.late += 1;
    },
    onLoaded: (loaded) => {
      seen.loaded = loaded;
    },
  });
  return {
    seen,
    loading,
    importing: (file: string) => loading.receive({ type: 'importing', file }),
  };
}

describe('Loading', () => {
  it('gives each file its deadline, and a file that loads modules another one for each', () => {
    const clock = FakeClock.install();
    const { seen, loading, importing } = begin();
    for (const file of ['a', 'b', 'b', 'b', 'c']) {
      importing(file);
      clock.pass(900);
    }
    expect(seen.late).to.equal(0);
    clock.pass(100);
    expect(seen.late).to.equal(1);
    const none = { overflowed: false, closedPipe: false };
    loading.fail({ code: null, signal: 'SIGKILL', stderr: '', ...none });
    expect(seen.loaded?.ended).to.equal('in-file');
    expect(seen.loaded?.failures).to.deep.equal([
      {
        file: 'c',
        message:
          'its import did not get on for 1 s; to wait longer, set import_timeout in assay.yaml',
      },
    ]);
  });

  it('tells once of a file that takes five seconds, and waits for nothing once all is loaded', () => {
    const clock = FakeClock.install();
    const { seen, loading, importing } = begin();
    for (let step = 0; step < 12; step += 1) {
      importing('slow');
      clock.pass(500);
    }
    expect(seen.slow).to.deep.equal(['slow']);
    importing('next');
    expect(loading.receive({ type: 'loaded' })).to.equal(true);
    clock.pass(60_000);
    expect(seen).to.deep.include({ slow: ['slow'], late: 0 });
  });
});
