import { existsSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { startFakeProvider } from '../../helpers/fake-provider.js';
import { Project, removeProjects } from '../../helpers/project.js';

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

describe('faults of recordings', () => {
  after(removeProjects);

  it('say in one line what is wrong with a file, and replay leaves it alone', async () => {
    await using provider = await startFakeProvider();
    const env = { PROVIDER: provider.url };
    const project = new Project({ 'a.eval.ts': head + one });
    await project.run(['--record'], { env });
    const file = '.assay/recordings/a.eval.ts/one/1.json';
    const whole = project.read(file);
    for (const [text, problem] of [
      [whole.slice(0, whole.length / 2), 'is not whole or not JSON'],
      [whole.replace('"assay_recording": 1', '"assay_recording": 2'), 'has version 2'],
      ['[]', 'is no recording'],
      [
        whole.replace('"status": 200', '"status": "ok"'),
        'cannot be used: its exchange 1 is not complete',
      ],
    ] as const) {
      project.write(file, text);
      const offline = await project.run(['--offline'], { env });
      expect(offline.result('one').error).to.include(`a.eval.ts/one/1.json ${problem}`);
      const replay = await project.run(['--replay'], { env });
      expect(replay.result('one').error).to.equal(null);
      expect(replay.stderr).to.include(problem);
      expect(project.read(file)).to.equal(text);
    }
    await project.run(['--record'], { env });
    // An answer that was edited by hand answers.
    project.write(file, project.read(file).replace('Grüße', 'Servus'));
    const edited = await project.run(['--offline'], { env });
    expect(edited.result('one').output).to.include('Servus');
  });

  it('keep names of any length and case apart', async () => {
    await using provider = await startFakeProvider(({ json }) => ({
      text: JSON.stringify(json.messages),
    }));
    const env = { PROVIDER: provider.url };
    const project = new Project({
      'a.eval.ts': `${head}
        const ids = ['x'.repeat(190) + '1', 'x'.repeat(190) + '2', 'Refund', 'refund', 'con', 'a/b', '..', 'ü', 'a b'];
        export const names = evaluation({ cases: ids.map((id) => ({ id, input: id })), target: ({ input }) => ask(input) });`,
    });
    const recorded = await project.run(['--record'], { env });
    const files = readdirSync(project.path('.assay/recordings/a.eval.ts/names'));
    expect(new Set(files.map((name) => name.toLowerCase())).size).to.equal(9);
    for (const name of files) expect(name).to.match(/^[\w.~-]{1,90}$/);
    const offline = await project.run(['--offline'], { env });
    expect(offline.run.results.map(({ result }) => result.output)).to.deep.equal(
      recorded.run.results.map(({ result }) => result.output),
    );
  });

  it('warn when a recording cannot be written, and keep the result', async () => {
    await using provider = await startFakeProvider();
    const project = new Project({ 'a.eval.ts': head + one });
    // No folder can be made below a file.
    project.write('.assay/recordings', '');
    const run = await project.run(['--record'], { env: { PROVIDER: provider.url } });
    expect(run.result('one').error).to.equal(null);
    expect(run.stderr).to.include('could not be written');
  });

  it('find multipart and binary bodies, and record no answer that holds an error', async () => {
    await using provider = await startFakeProvider(({ request }) =>
      request.body.includes('garbage') ? { raw: '{"error":{"message":"no"}}' } : {},
    );
    const env = { PROVIDER: provider.url };
    const project = new Project({
      'a.eval.ts': `${head}
        const bytes = new Uint8Array([0, 255, 254, 1]);
        const form = () => { const f = new FormData(); f.set('file', new Blob([bytes]), 'x.bin'); f.set('model', 'm'); return f; };
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
    expect(offline.result('error').error).to.include('not recorded');
    expect(offline.result('binary').error).to.equal(null);
  });
});
