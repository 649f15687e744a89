import { chmodSync, existsSync, lchownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';
import { linkPackages } from '../../helpers/project-folder.js';
import { countByAttempt, onlyRecording } from '../../helpers/recordings.js';
import { times } from '../../helpers/rounds.js';

const head = `
import { evaluation } from 'assay';
const post = (body: BodyInit) => fetch(process.env.PROVIDER + '/v1/chat/completions', { method: 'POST', body });
const json = (content: string) => JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
const ask = async (content = 'hi') => {
  const response = await post(json(content));
  const answer = (await response.json()) as any;
  if (!response.ok) throw new Error(answer.error.message);
  return answer.choices[0].message.content;
};
`;

const one = 'export const one = evaluation({ target: () => ask() });';

const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

/** Gives a folder, and what is in it, to the user of {@link asNobody}. */
function chownTree(folder: string): void {
  for (const { name, parentPath } of readdirSync(folder, {
    recursive: true,
    withFileTypes: true,
  })) {
    if (!parentPath.includes('node_modules')) lchownSync(join(parentPath, name), 65534, 65534);
  }
  lchownSync(folder, 65534, 65534);
}

describe('faults of recordings', () => {
  it('of a folder that cannot be written answer and stay as they are', async () => {
    await using provider = await startFakeProvider();
    const env = { PROVIDER: provider.url };
    const project = new Project({
      'a.eval.ts': head + one,
      'assay.yaml': 'recordings_dir: kept\n',
    });
    await project.run(['--record'], { env });
    const file = onlyRecording(project, 'a.eval.ts/one/1', 'kept');
    const whole = project.read(file);
    chmodSync(project.path('kept/a.eval.ts/one/1'), 0o555);
    // The superuser may write everywhere.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownTree(project.folder);
    const through = isRoot ? asNobody : [];
    const written = await project.run(['--record=all'], { env, through });
    expect(written.result('one').error).to.equal(null);
    expect(written.stderr).to.match(
      /a\.eval\.ts\/one\/1\/[0-9a-f]{12}-1\.json could not be written: EACCES/,
    );
    expect(onlyRecording(project, 'a.eval.ts/one/1', 'kept')).to.equal(file);
    expect(project.read(file)).to.equal(whole);
    const offline = await project.run(['--offline'], { env, through });
    expect(offline.result('one').error).to.equal(null);
    chmodSync(project.path('kept/a.eval.ts/one/1'), 0o755);
  });

  it('of a full disk say so, and leave what was there', async () => {
    let text = 'short';
    await using provider = await startFakeProvider(() => ({ text }));
    const env = { PROVIDER: provider.url };
    const project = new Project({ 'a.eval.ts': head + one, 'assay.yaml': 'capture: usage\n' });
    await project.run(['--record'], { env });
    const file = onlyRecording(project, 'a.eval.ts/one/1');
    const whole = project.read(file);
    expect(whole).to.include('short');
    text = 'long '.repeat(100_000);
    // The output is shorter than a file may be, its recording is not.
    project.write('a.eval.ts', head + one.replace('ask()', 'ask().then((said) => said.length)'));
    const through = ['bash', '-c', 'ulimit -S -f 256; trap "" XFSZ; exec "$@"', 'bash'];
    const full = await project.run(['--record=all'], { env, through });
    expect(full.result('one').output).to.equal(500_000);
    expect(full.stderr).to.match(/the recording a\.eval\.ts\/one\/1\/\S+ could not be written: /);
    expect(onlyRecording(project, 'a.eval.ts/one/1')).to.equal(file);
    expect(project.read(file)).to.equal(whole);
  });

  it('of several processes at once are whole, whoever is last', async () => {
    let asked = 0;
    await using provider = await startFakeProvider(() => {
      asked += 1;
      return { text: `${asked} ${'x'.repeat(200_000)}` };
    });
    const env = { PROVIDER: provider.url };
    const project = new Project({
      'a.eval.ts': `${head}
        export const many = evaluation({ cases: ['1', '2', '3', '4'].map((id) => ({ id, input: id })), target: async ({ input }) => (await ask(input)).split(' ')[0] });`,
    });
    const runs = Array.from(
      { length: times(2) },
      () => project.start(['run', '--record', '--json'], { env }).ended,
    );
    const outputs = (await Promise.all(runs)).map(({ code, json }) => {
      expect(code).to.equal(0);
      return json().results.map(({ result }) => result.output);
    });
    const attempts = ['1~1', '2~1', '3~1', '4~1'].map((name) => [`a.eval.ts/many/${name}`, 1]);
    expect(countByAttempt(project.path('.assay/recordings'))).to.deep.equal(
      Object.fromEntries(attempts),
    );
    const { run } = await project.run(['--offline'], { env });
    for (const [at, { result }] of run.results.entries()) {
      expect(outputs.map((found) => found[at])).to.include(result.output);
    }
  });

  it('find multipart and binary bodies, and tell others apart', async () => {
    const asked: Buffer[] = [];
    await using provider = await startFakeProvider(({ request }) => {
      asked.push(request.body);
      return { raw: JSON.stringify({ size: request.body.length, asked: asked.length }) };
    });
    const env = { PROVIDER: provider.url, BYTE: '1' };
    const project = new Project({
      'a.eval.ts': `${head}
        import dns from 'node:dns';
        import axios from 'axios';
        // A host that is not this machine by its name.
        dns.lookup = ((name: string, options: any, done: any) => options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)) as never;
        const url = 'http://api.example:' + new URL(process.env.PROVIDER!).port + '/upload?signature=' + Math.random();
        const bytes = new Uint8Array([0, 255, 254, Number(process.env.BYTE)]);
        const form = () => { const f = new FormData(); f.set('file', new Blob([bytes]), 'x.bin'); f.set('kind', 'm'); return f; };
        const sent = async (body: BodyInit) => (await fetch(url, { method: 'POST', body })).json();
        export const formed = evaluation({ target: () => sent(form()) });
        export const binary = evaluation({ target: () => sent(bytes) });
        export const streamed = evaluation({ target: () => fetch(url, { method: 'POST', body: new Blob([bytes]).stream(), duplex: 'half' } as RequestInit).then((response) => response.json()) });
        export const ofAxios = evaluation({ target: async () => (await axios.post(url, form())).data });
        export const raw = evaluation({ target: async () => (await axios.post(url, Buffer.from(bytes))).data });`,
    });
    linkPackages(project.folder, ['axios']);
    const recorded = await project.run(['--record'], { env });
    const outputs = recorded.run.results.map(({ result }) => [result.output, result.error]);
    expect(outputs.map(([, error]) => error)).to.deep.equal(Array(5).fill(null));
    expect(asked).to.have.length(5);
    const offline = await project.run(['--offline'], { env });
    expect(offline.run.results.map(({ result }) => [result.output, result.error])).to.deep.equal(
      outputs,
    );
    expect(offline.run.results.map(({ result }) => result.latency)).to.deep.equal(
      Array(5).fill(null),
    );
    const other = await project.run(['--offline'], { env: { ...env, BYTE: '2' } });
    for (const { id, result } of other.run.results) {
      expect(result.error, id).to.match(
        /^NotRecorded: not recorded: POST api\.example:\d+\/upload/,
      );
      expect(result.error, id).to.include('differs first in ');
    }
    expect(asked).to.have.length(5);
  });

  it('have no answer that holds an error, and no calls to this machine that are none of a model', async () => {
    await using provider = await startFakeProvider(({ request }) =>
      request.body.includes('garbage') ? { raw: '{"error":{"message":"no"}}' } : {},
    );
    const env = { PROVIDER: provider.url };
    const project = new Project({
      'a.eval.ts': `${head}
        const bytes = new Uint8Array([0, 255, 254, 1]);
        const form = () => { const f = new FormData(); f.set('file', new Blob([bytes]), 'x.bin'); f.set('kind', 'm'); return f; };
        const other = async (body: any) => (await fetch(process.env.HOSTED!, { method: 'POST', body }).catch((error) => { throw error.cause ?? error; })).status;
        export const error = evaluation({ target: async () => (await post(json('garbage'))).text() });
        export const formed = evaluation({ target: () => other(form()) });
        export const binary = evaluation({ target: () => other(bytes) });`,
    });
    await project.run(['--record'], { env: { ...env, HOSTED: `${provider.url}/own` } });
    expect(existsSync(project.path('.assay/recordings/a.eval.ts/error'))).to.equal(false);
    // Requests to this machine that are no calls of a model are not recorded.
    expect(existsSync(project.path('.assay/recordings/a.eval.ts/formed'))).to.equal(false);
    const offline = await project.run(['--offline'], {
      env: { ...env, HOSTED: `${provider.url}/own` },
    });
    expect(offline.result('error').error).to.include(
      'there is no recording of it in a.eval.ts/error/1\n',
    );
    expect(offline.result('binary').error).to.equal(null);
  });
});
