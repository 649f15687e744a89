import { expect } from 'chai';
import { removeProjects } from '../../helpers/project.js';
import { closeServers, ServedProject } from '../../helpers/served-project.js';

const evals = `
import { evaluation } from 'assay';
export const pids = evaluation({ cases: [{}, {}], target: () => process.pid });
`;

describe('a run that is started with a process for every attempt, or without', () => {
  afterEach(async () => {
    await closeServers();
    removeProjects();
  });

  async function processes(served: ServedProject): Promise<number> {
    const { results } = await served.active();
    const pids = results.map((row: { result: { output: number } }) => row.result.output);
    return new Set(pids).size;
  }

  for (const path of ['/api/runs/new', '/api/runs/rerun']) {
    it(`${path} goes by \`isolate\`, and without it by the settings`, async () => {
      const served = await ServedProject.start({ 'a.eval.ts': evals }, { hosts: true });
      // First of the run that has not started, then of saved ones.
      for (const [isolate, expected] of [
        [true, 2],
        [null, 1],
      ] as const) {
        const { status, text } = await served.post(`${path}?wait=true`, { isolate });
        expect(status, text).to.equal(200);
        expect(await processes(served), String(isolate)).to.equal(expected);
      }
      served.project.write('assay.yaml', 'isolate: true\nconfigs: { other: {} }\n');
      for (const [body, expected] of [
        [{}, 2],
        [{ isolate: false }, 1],
      ] as const) {
        await served.post(`${path}?wait=true`, body);
        expect(await processes(served), JSON.stringify(body)).to.equal(expected);
      }
    }).timeout(120_000);
  }

  it('is one also when the rerun is with another run config', async () => {
    const files = { 'a.eval.ts': evals, 'assay.yaml': 'configs: { other: {} }\n' };
    const served = await ServedProject.start(files, { hosts: true });
    await served.runAll();
    await served.post('/api/runs/rerun?wait=true', { config_name: 'other', isolate: true });
    expect(await served.active()).to.include({ config_name: 'other', total_evaluations: 2 });
    expect(await processes(served)).to.equal(2);
  }).timeout(60_000);
});
