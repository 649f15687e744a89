import { expect } from 'chai';
import { ServedProject } from '../../helpers/served-project.js';

const evals = `
import { evaluation } from 'assay';
export const pids = evaluation({ cases: [{}, {}], target: () => 'x' });
`;

describe('a run that is started with a process for every attempt, or without', () => {
  /** A server, and whether attempts of the last execution have processes of their own. */
  async function serve() {
    const isolated: boolean[] = [];
    const served = await ServedProject.start(
      { 'a.eval.ts': evals, 'assay.yaml': 'configs: { other: {} }\n' },
      { onExecution: ({ isolate = false }) => isolated.push(isolate) },
    );
    return { served, isIsolated: () => isolated.at(-1) };
  }

  for (const path of ['/api/runs/new', '/api/runs/rerun']) {
    it(`${path} goes by \`isolate\`, and without it by the settings`, async () => {
      const { served, isIsolated } = await serve();
      const none = 'configs: { other: {} }\n';
      // First of the run that has not started, then of saved ones.
      for (const [settings, body, expected] of [
        [none, { isolate: true }, true],
        [none, { isolate: null }, false],
        [`isolate: true\n${none}`, {}, true],
        [`isolate: true\n${none}`, { isolate: false }, false],
        [none, { isolate: true }, true],
      ] as const) {
        served.project.write('assay.yaml', settings);
        const { status, text } = await served.post(`${path}?wait=true`, body);
        expect(status, text).to.equal(200);
        expect(isIsolated(), `${JSON.stringify(body)} and ${settings}`).to.equal(expected);
      }
    });
  }

  it('is one also when the rerun is with another run config', async () => {
    const { served, isIsolated } = await serve();
    await served.runAll();
    await served.post('/api/runs/rerun?wait=true', { config_name: 'other', isolate: true });
    expect(await served.active()).to.include({ config_name: 'other', total_evaluations: 2 });
    expect(isIsolated()).to.equal(true);
  });
});
