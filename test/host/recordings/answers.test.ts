import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Project } from '../../helpers/project.js';
import { onlyRecording, recordingsIn } from '../../helpers/recordings.js';

const settings = { 'assay.yaml': "recordings_hosts: ['127.0.0.1']\n" };

/** A server that counts its requests, redirects, is busy at first, and streams without an end. */
async function startServer() {
  const asked = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const count = (asked.get(path) ?? 0) + 1;
    asked.set(path, count);
    request.resume();
    if (path === '/old') {
      response
        .writeHead(302, { location: '/new?page=2&sort=by-name&session=aB3dE5fG7hI9' })
        .end('x');
    } else if (path === '/empty') response.writeHead(204).end();
    else if (path === '/busy' && count < 3) {
      response.writeHead(count === 1 ? 429 : 503, { 'retry-after': '0' }).end('{}');
    } else if (path === '/endless') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    } else
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"count":${count}}`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    env: { SERVER: `http://127.0.0.1:${port}` },
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const head = `
  import { evaluation } from 'assay';
  import http from 'node:http';
  const at = (path: string) => process.env.SERVER + path;
  const post = { method: 'POST', body: '{}' };
`;

const outputsOf = async (project: Project, flag: string, env: Record<string, string>) => {
  const { run, stderr } = await project.run([flag], { env });
  const outputs = run.results.map(({ id, result }) => [id, result.error ?? result.output]);
  return { outputs, stderr };
};

describe('answers that are recorded', () => {
  it('are whole where a client needs only their head', async () => {
    await using server = await startServer();
    const project = new Project({
      ...settings,
      'a.eval.ts': `${head}
        export const unread = evaluation({ target: async () => (await fetch(at('/hook'), post)).status });
        export const failing = evaluation({ target: async () => { const { status } = await fetch(at('/fail'), post); throw new Error('status ' + status); } });
        export const left = evaluation({ target: async () => { const r = await fetch(at('/left'), post); await r.body!.cancel(); return r.status; } });
        export const byHttp = evaluation({ target: () => new Promise((done) => http.get(at('/http'), (r) => done(r.statusCode))) });
        export const head = evaluation({ target: async () => (await fetch(at('/head'), { method: 'HEAD' })).status });
        export const empty = evaluation({ target: async () => { const r = await fetch(at('/empty')); return [r.status, r.body, await r.text()]; } });
        export const cloned = evaluation({ target: async () => { const r = await fetch(at('/clone')); return [await r.clone().json(), r.url]; } });`,
    });
    const recorded = await outputsOf(project, '--record', server.env);
    expect(recorded.stderr).to.not.include('not recorded');
    const hook = JSON.parse(project.read(onlyRecording(project, 'a.eval.ts/unread/1')));
    expect(hook.response.body).to.deep.equal({ json: { count: 1 } });
    const { outputs } = await outputsOf(project, '--offline', server.env);
    expect(outputs).to.deep.equal(recorded.outputs);
    expect(new Set(server.asked.values())).to.deep.equal(new Set([1]));
  });

  it('are none of a stream that its client leaves, which the end of the run says', async () => {
    await using server = await startServer();
    const project = new Project({
      ...settings,
      'a.eval.ts': `${head}
        export const left = evaluation({ target: async () => { const r = await fetch(at('/endless')); const reader = r.body!.getReader(); await reader.read(); await reader.cancel(); return r.status; } });
        export const unread = evaluation({ target: async () => (await fetch(at('/endless?unread'))).status });`,
    });
    const { stderr } = await outputsOf(project, '--record', server.env);
    expect(stderr).to.include(
      '1 request was not recorded: its answer failed, broke off, was not read to its end or holds an error.',
    );
  });

  it('after redirects have their address, and answer no request for the redirect itself', async () => {
    await using server = await startServer();
    const project = new Project({
      ...settings,
      'a.eval.ts': `${head}
        const about = async (r: Response) => [r.status, r.redirected, r.type, r.url.replace(/session=.*/, ''), r.headers.get('location')?.replace(/session=.*/, '')];
        const follow = () => fetch(at('/old')).then(about);
        const manual = () => fetch(at('/old'), { redirect: 'manual' }).then(about);
        export const followed = evaluation({ target: follow });
        export const stopped = evaluation({ target: manual });
        export const both = evaluation({ target: async () => [await manual(), await follow()] });
        export const other = evaluation({ target: async () => [await follow(), await manual()] });`,
    });
    const recorded = await outputsOf(project, '--record', server.env);
    expect(recorded.outputs[0]?.[1]).to.deep.equal([
      ...[200, true, 'basic', `${server.env.SERVER}/new?page=2&sort=by-name&`, null],
    ]);
    const count = server.asked.get('/old');
    const { outputs } = await outputsOf(project, '--offline', server.env);
    expect(outputs).to.deep.equal(recorded.outputs);
    expect(server.asked.get('/old')).to.equal(count);
    const texts = Object.values(recordingsIn(project.path('.assay/recordings')));
    expect(texts.join()).to.not.include('aB3dE5fG7hI9');
  });

  it('after retries list the attempts that failed, in order', async () => {
    await using server = await startServer();
    const project = new Project({
      ...settings,
      'a.eval.ts': `${head}
        export const busy = evaluation({ target: async () => {
          const seen = [];
          for (;;) {
            const r = await fetch(at('/busy'), post);
            seen.push(r.status);
            if (r.ok) return [seen, await r.json()];
            await r.text();
          }
        } });`,
    });
    const recorded = await outputsOf(project, '--record', server.env);
    expect(recorded.outputs).to.deep.equal([['a.eval.ts::busy', [[429, 503, 200], { count: 3 }]]]);
    const { failed } = JSON.parse(project.read(onlyRecording(project, 'a.eval.ts/busy/1')));
    expect(
      failed.map(
        ({ response }: { readonly response: { readonly status: number } }) => response.status,
      ),
    ).to.deep.equal([429, 503]);
    const { outputs } = await outputsOf(project, '--offline', server.env);
    expect(outputs).to.deep.equal([['a.eval.ts::busy', [[200], { count: 3 }]]]);
    const { stdout } = await project.assay(['export', 'latest', '-f', 'json', '--calls']);
    const { calls } = JSON.parse(stdout).results[0].result;
    expect(calls.map(({ status }: { readonly status: number }) => status)).to.deep.equal([
      429, 503, 200,
    ]);
  });
});
