import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { parse } from 'yaml';
import { startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';
import { bin, linkPackages } from '../../helpers/project-folder.js';
import { countByAttempt } from '../../helpers/recordings.js';

const settings = { 'assay.yaml': 'recordings_dir: recordings\n' };

/** A host that is not this machine by its name, but is. */
const remote = `
  import dns from 'node:dns';
  dns.lookup = ((name: string, options: any, done: any) => options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)) as never;
  const at = (host: string, path: string) => 'http://' + host + ':' + new URL(process.env.PROVIDER!).port + path;
`;

describe('a run that is offline', () => {
  it('exits with 1 where something is not recorded, whatever its evaluations make of it', async () => {
    await using provider = await startFakeProvider();
    const env = { PROVIDER: provider.url };
    const project = new Project({
      'a.eval.ts': `
        import { evaluation } from 'assay';
        const get = (url: string) => fetch(url).then(() => 'there', () => 'nothing');
        export const other = evaluation({ target: () => get('https://api.example/other'), evaluators: [() => true] });`,
      'import.eval.ts': `
        import { evaluation } from 'assay';
        const flags = await fetch('https://flags.example/').then(() => 'there', () => 'nothing');
        export const imported = evaluation({ target: () => flags, evaluators: [() => true] });`,
      'socket.eval.ts': `
        import { evaluation } from 'assay';
        import net from 'node:net';
        const connect = () => new Promise((done) => net.connect(5432, 'db.example').on('error', () => done('nothing')));
        export const socket = evaluation({ target: connect, evaluators: [() => true] });`,
      'own.eval.ts': `
        import { evaluation } from 'assay';
        export const own = evaluation({ target: async () => (await fetch(process.env.PROVIDER + '/own')).status, evaluators: [() => true] });
        export const told = evaluation({ target: async () => (await fetch('https://o1.ingest.sentry.io/api/1/envelope/', { method: 'POST', body: '{}' })).status, evaluators: [() => true] });`,
    });
    const all = await project.assay(['run', '--offline'], { env });
    expect(all.stderr).to.include('offline: 3 requests are not recorded: assay run --record');
    expect(all.code).to.equal(1);
    const { code } = await project.assay(['run', 'own.eval.ts', '--offline'], { env });
    expect(code).to.equal(0);
  });

  it('answers every call to another host, but hands in no telemetry and not what the settings ignore', async () => {
    const provider = await startFakeProvider(({ request }) => ({
      raw: `{"path":"${request.url}"}`,
    }));
    const server = createServer((_, response) => response.end('own'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const PORT = String((server.address() as AddressInfo).port);
    const env = { PROVIDER: provider.url };
    const project = new Project({
      'a.eval.ts': `
        import { evaluation } from 'assay';
        import http from 'node:http';
        ${remote}
        const said = async (url: string, init?: RequestInit) => {
          const response = await fetch(url, init);
          return response.status + ' ' + (await response.text());
        };
        const post = { method: 'POST', body: '{}' };
        const byHttp = (url: string) => new Promise((done, fail) => http.request(url, { method: 'POST' }, (response) => response.resume().on('end', () => done(response.statusCode))).on('error', fail).end('{}'));
        export const search = evaluation({ target: () => said(at('search.example', '/find?q=x')) });
        export const image = evaluation({ target: () => said(at('images.example', '/draw'), post) });
        export const traces = evaluation({ target: () => said(at('otel.example', '/v1/traces'), post) });
        export const events = evaluation({ target: () => byHttp(at('eu.i.posthog.com', '/batch')) });
        export const prompt = evaluation({ target: () => said(at('cloud.langfuse.com', '/api/public/v2/prompts')) });
        export const flags = evaluation({ target: () => said(at('flags.example', '/flags')) });
        export const own = evaluation({ target: () => said('http://127.0.0.1:' + process.env.PORT + '/own') });`,
      'assay.yaml': 'recordings_dir: recordings\nrecordings_ignore: [flags.example]\n',
    });
    const recorded = await project.run(['--record'], { env: { ...env, PORT } });
    expect(recorded.run.total_errors).to.equal(0);
    expect(recorded.stderr).to.include(
      '1 call to this machine was not recorded. To record such calls, name their hosts: recordings_hosts.',
    );
    const folder = (name: string) => `a.eval.ts/${name}/1`;
    expect(countByAttempt(project.path('recordings'))).to.deep.equal({
      ...{ [folder('image')]: 1, [folder('prompt')]: 1, [folder('search')]: 1 },
    });
    project.write('assay.yaml', `${project.read('assay.yaml')}recordings_hosts: ['127.0.0.1']\n`);
    const more = { env: { ...env, PORT } };
    const own = await project.run(['a.eval.ts::own', '--record'], more);
    expect(own.stderr).to.not.include('was not recorded');
    server.close();
    await provider[Symbol.asyncDispose]();
    const offline = await project.run(['--offline'], { env: { ...env, PORT: '45001' } });
    expect(offline.stderr).to.not.include('not recorded');
    for (const name of ['search', 'image', 'prompt', 'own']) {
      expect(offline.result(name).output, name).to.equal(recorded.result(name).output);
    }
    for (const name of ['traces', 'flags']) expect(offline.result(name).output).to.equal('204 ');
    expect(offline.result('events').output).to.equal(204);
  });
});

const keyed = `
  import { evaluation } from 'assay';
  import OpenAI from 'openai';
  const openai = new OpenAI({ baseURL: process.env.PROVIDER + '/v1' });
  const keys = [process.env.OPENAI_API_KEY, process.env.GEMINI_API_KEY].map((key) => key !== undefined);
  export const chat = evaluation({
    target: async () => (await openai.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })).choices[0]?.message.content + ' ' + keys + ' offline',
    evaluators: [() => true],
  });
`;

describe('recordings of a client that needs a key', () => {
  const withKey = 'canary-1234567890';

  it('say which one was set, and offline it needs none', async () => {
    const provider = await startFakeProvider(() => ({ text: 'an answer' }));
    const env = { PROVIDER: provider.url };
    const project = new Project({ 'a.eval.ts': keyed, ...settings });
    linkPackages(project.folder, ['openai']);
    const recorded = await project.run(['--record'], { env: { ...env, OPENAI_API_KEY: withKey } });
    await provider[Symbol.asyncDispose]();
    expect(recorded.result('chat').output).to.equal('an answer true,false offline');
    expect(project.read('recordings/a.eval.ts/_keys/OPENAI_API_KEY')).to.include('--offline');
    expect(existsSync(project.path('recordings/a.eval.ts/_keys/GEMINI_API_KEY'))).to.equal(false);
    expect(project.savedText('recordings')).to.not.include('canary');
    const offline = await project.run(['--offline'], { env });
    expect(offline.result('chat').output).to.equal('an answer true,false offline');
    // The key is nothing that the result depends on.
    const changed = await project.assay(['run', '--changed', '--offline'], { env });
    expect(changed.stderr).to.match(/1 carried/);
    const listed = await project.assay(['recordings']);
    expect(listed.stderr).to.not.include('_keys');
  });

  it('serve the workflow of the documentation as it stands, in an empty environment', async () => {
    await using provider = await startFakeProvider(() => ({ text: 'an answer' }));
    // Its address is part of the code there, and nothing listens at it then.
    const evals = keyed.replaceAll('process.env.PROVIDER', JSON.stringify(provider.url));
    const page = readFileSync(new URL('../../../docs/recordings.md', import.meta.url), 'utf8');
    const blocks = [...page.matchAll(/```yaml\n# (\S+)\n([\s\S]*?)```/g)];
    const files = Object.fromEntries(blocks.map(([, name = '', text = '']) => [name, text]));
    expect(files).to.have.keys('assay.yaml', '.github/workflows/evals.yml');
    const project = new Project({ 'a.eval.ts': evals, ...files });
    linkPackages(project.folder, ['openai']);
    mkdirSync(project.path('node_modules/.bin'));
    symlinkSync(bin, project.path('node_modules/.bin/assay'));
    await project.run(['--record'], { env: { OPENAI_API_KEY: withKey } });
    await provider[Symbol.asyncDispose]();
    project.remove('.assay');
    const { steps } = parse(files['.github/workflows/evals.yml'] ?? '').jobs.evals;
    const commands = steps.flatMap(({ run }: { readonly run?: string }) => run ?? []);
    // The packages are there already.
    expect(commands.shift()).to.equal('npm ci');
    expect(commands).to.have.length(1);
    for (const command of commands) {
      const { status, stderr } = spawnSync('bash', ['-e', '-c', command], {
        ...{ cwd: project.folder, env: { PATH: process.env.PATH, CI: 'true' }, encoding: 'utf8' },
      });
      expect(status, stderr).to.equal(0);
    }
  });
});
