import { expect } from 'chai';
import {
  openGate,
  serveGated,
  startAndWait,
  statuses,
  until,
  untilState,
} from './gated-project.js';

describe('a results directory that goes away', () => {
  it('while a run is executed leaves the server up: it says so, and the next run is a new one', async () => {
    const served = await serveGated();
    const { run_id } = await startAndWait(served);
    served.project.remove('.assay');
    openGate(served);
    const told = () => served.warnings.join('\n');
    await until(() => told().includes('was interrupted'), 'the end of the execution');
    expect(told()).to.include(run_id);
    expect((await served.get('/api/health')).status).to.equal(200);
    const active = await served.get('/results');
    expect(active.status, active.text).to.equal(200);
    expect((await served.get('/api/sessions')).body).to.deep.equal({ sessions: [] });
    const started = await served.post('/api/runs/new?wait=true', {});
    expect(started.status, started.text).to.equal(200);
    expect(started.body.run_id).not.to.equal(run_id);
    expect(await served.active()).to.include({ total_passed: 4, state: 'finished' });
  });

  it('while a run is executed and read gets none of its results into another run', async () => {
    const served = await serveGated();
    const { run_id } = await startAndWait(served);
    served.project.remove('.assay');
    // Whoever reads meanwhile must not make the number of its log that of another file.
    expect(await served.active()).to.include({ run_id });
    openGate(served);
    const fresh = await untilState(served, 'not_started');
    expect(fresh).to.include({ total_passed: 0 });
    expect(new Set(statuses(fresh))).to.deep.equal(new Set(['not_started']));
  });

  it('while nothing runs is made again by the next run', async () => {
    const served = await serveGated();
    openGate(served);
    await served.runAll();
    served.project.remove('.assay');
    expect(await served.active()).to.include({ state: 'not_started' });
    expect(await served.runAll()).to.include({ total_passed: 4 });
  });

  it('and is a file instead refuses to start, names it, and starts when it is gone', async () => {
    const served = await serveGated();
    openGate(served);
    served.project.write('.assay', 'a file');
    const refused = await served.post('/api/runs/rerun', {});
    expect(refused.status, refused.text).to.be.within(400, 507);
    expect(refused.body.detail).to.include('.assay');
    expect((await served.active()).state).to.equal('not_started');
    served.project.remove('.assay');
    expect(await served.runAll()).to.include({ total_passed: 4 });
  });
});

describe('a run folder that cannot be read', () => {
  it('is set aside once, and whoever watches the server is told', async () => {
    const served = await serveGated();
    const broken = '.assay/sessions/default/aaaaaaaaaaaa';
    served.project.write(`${broken}/results.jsonl`, 'garbage\n');
    for (let time = 0; time < 2; time += 1) {
      expect((await served.get('/api/sessions')).body).to.deep.equal({ sessions: [] });
    }
    const told = served.warnings.filter((text) => text.includes(`${broken}.broken`));
    expect(told).to.have.lengthOf(1);
  });
});
