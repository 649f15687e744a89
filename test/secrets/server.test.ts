import { expect } from 'chai';
import { serve, untilState } from '../e2e/serve-process.js';
import { Project, until } from '../helpers/project.js';
import { fewOf } from '../helpers/rounds.js';
import { EventClient } from '../server/api/events-client.js';
import { dotEnv, expectNoSecret, expectNoSecretBelow, inEnvironment } from './canaries.js';
import { crashingEvals, leakyEvals } from './leaky-evals.js';

describe('secrets of the environment, while a server runs', () => {
  it('are in no answer, no event, no file and not on the terminal', async () => {
    const crashing = fewOf(Object.entries(crashingEvals), 1);
    const project = new Project({
      ...leakyEvals,
      ...Object.fromEntries(crashing),
      'bad.eval.ts': `throw new Error('no access with ' + process.env.OPENAI_API_KEY);`,
      '.env': dotEnv(),
      // Few are run again for one that takes its process with it.
      'assay.yaml': 'concurrency: 2\n',
    });
    const { url, ended, child } = await serve(project, ['--no-open'], inEnvironment);
    const events: string[] = [];
    const client = await listen(url, events);
    const send = sender(url);

    expect(await send('GET', '/results')).to.include('no access with [redacted:OPENAI_API_KEY]');
    await send('POST', '/api/runs/rerun?wait=true', {});
    const run = await untilState(url, 'finished');
    expect(run.results).to.have.lengthOf(26 + crashing.length);
    // An event of a run waits while others are being sent.
    await until(() => events.join('').includes('[redacted:OPENAI_API_KEY]'), 'a redacted event');
    for (const path of [
      '/results',
      `/api/runs/${run.run_id}/data`,
      `/api/runs/${run.run_id}/rows?limit=500`,
      `/api/runs/${run.run_id}/rows?search=redacted`,
      `/api/runs/${run.run_id}/rows/indices`,
      `/api/runs/${run.run_id}`,
      '/api/active-run',
      `/api/compare?run=${run.run_id}&run=${run.run_id}`,
      `/api/compare/rows?run=${run.run_id}&run=${run.run_id}`,
      '/api/runs/latest/export/json',
      '/api/runs/latest/export/csv',
      '/api/sessions',
      '/api/sessions/default/runs',
      '/api/config',
      '/api/configs',
      '/api/openapi.json',
      '/api/health',
      '/',
      ...fewOf([...run.results.keys()], 6).map((index) => `/api/runs/latest/results/${index}`),
    ]) {
      await send('GET', path);
    }
    await send('POST', '/api/runs/latest/export/markdown', {
      visible_indices: run.results.map((_: unknown, index: number) => index),
      visible_columns: ['eval', 'dataset', 'input', 'output', 'scores', 'error'],
      stats: { total: 1, filtered: 1, avgLatency: 0, chips: [] },
      run_name: 'x',
      session_name: 'y',
    });
    await send('POST', '/api/runs/regrade?wait=true', {});
    await send('POST', '/api/server/restart');

    project.write('assay.yaml', `concurrency: ${inEnvironment.GITHUB_TOKEN}\n`);
    expect(await send('POST', '/api/server/restart')).to.include('concurrency must be');
    await send('GET', '/api/config');

    client.leave();
    child.kill('SIGTERM');
    const { stdout, stderr } = await ended;
    expectNoSecret(stdout, 'stdout');
    expectNoSecret(stderr, 'stderr');
    expectNoSecret(events.join(''), 'the events');
    expectNoSecretBelow(project.path('.assay'));
  }).timeout(120_000);
});

/** Sends requests and looks for secrets in the answers, heads included. */
function sender(url: string) {
  return async (method: string, path: string, body?: unknown): Promise<string> => {
    const response = await fetch(`${url}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expectNoSecret(text, `${method} ${path}`);
    expectNoSecret(JSON.stringify([...response.headers]), `the head of ${method} ${path}`);
    return text;
  };
}

async function listen(url: string, events: string[]): Promise<EventClient> {
  const client = await EventClient.connect(url);
  const feed = client.feed.bind(client);
  client.feed = (text: string) => {
    events.push(text);
    feed(text);
  };
  return client;
}
