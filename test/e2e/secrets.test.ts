import { expect } from 'chai';
import { Project, removeProjects } from '../helpers/temporary-project.js';
import { endServing, serve } from './serve-process.js';

/** Names and values of secrets in the environment; values that need escapes in JSON and odd characters among them. */
const inEnvironment: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: 'sk-canary-environment-0001',
  GITHUB_TOKEN: 'ghp_canaryEnvironment0002',
  CLIENT_SECRET: 'canary"quoted\\0003',
  DB_PASSWORD: 'canary pass wörd 0004',
  AWS_CREDENTIALS: 'canary.credentials+/=0005',
};
const inDotEnv: Readonly<Record<string, string>> = {
  DOTENV_API_KEY: 'sk-canary-dotenv-0006',
  dotenv_token: 'canary-lower-case-0007',
};
const secrets = { ...inEnvironment, ...inDotEnv };
const harmless = 'not-a-secret-value-0008';

const source = `
import { writeSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { evaluation } from 'assay';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const names = ${JSON.stringify(Object.keys(secrets))};
const all = () => names.map((name) => process.env[name]);
const text = () => all().join(' and ');

export const returns = evaluation({ target: () => ({ list: all(), text: text(), [process.env.OPENAI_API_KEY]: 'as a key', harmless: process.env.HARMLESS }) });
export const authored = evaluation({ input: all(), reference: text(), metadata: { all: all() }, cases: [{ id: 'one' }] }, () => {});
export const prints = evaluation({}, () => {
  console.log(text());
  for (const value of all()) console.error(value);
  process.stdout.write(Buffer.from(text()));
});
export const throws = evaluation({}, () => { throw new Error('refused: ' + text(), { cause: new Error(text()) }); });
export const throwsValue = evaluation({}, () => { throw text(); });
export const rejects = evaluation({}, async () => { Promise.reject(new Error(text())); await wait(200); });
export const asserts = evaluation({}, () => { const error = new Error('expected ' + text()); error.name = 'AssertionError'; throw error; });
export const scores = evaluation({}, (ctx) => {
  ctx.score({ key: 'key ' + process.env.OPENAI_API_KEY, value: 1, notes: text() });
});
export const evaluators = evaluation({ target: () => 1, evaluators: [() => { throw new Error(text()); }] });
export const metadata = evaluation({}, (ctx) => { ctx.metadata.all = all(); });
export const traces = evaluation({}, (ctx) => {
  ctx.traceData.messages = [{ role: 'user', content: text() }];
  ctx.traceData.traceUrl = 'https://example.com/?key=' + process.env.OPENAI_API_KEY;
  ctx.traceData.request = { headers: { Authorization: 'Bearer only-known-here-0009', 'x-api-key': 'only-known-here-0010', cookie: 'only-known-here-0011' } };
});
export const child = evaluation({}, () => { spawnSync('sh', ['-c', 'echo "$OPENAI_API_KEY" "$GITHUB_TOKEN" >&2; echo "$DOTENV_API_KEY"'], { stdio: 'inherit' }); });
export const exits = evaluation({}, () => { process.exitCode = 3; process.exit(text()); });
`;

const crash = `
import { writeSync } from 'node:fs';
import { evaluation } from 'assay';
export const crashes = evaluation({}, () => {
  writeSync(2, 'fatal: ' + process.env.OPENAI_API_KEY + ' ' + process.env.DOTENV_API_KEY + ' ' + process.env.CLIENT_SECRET + '\\n');
  process.kill(process.pid, 'SIGSEGV');
});
`;

function dotEnv(): string {
  return Object.entries(inDotEnv)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

function expectNoSecret(text: string, where: string): void {
  for (const [name, value] of Object.entries(secrets)) {
    for (const form of [value, JSON.stringify(value).slice(1, -1)]) {
      expect(text.includes(form), `${name} in ${where}`).to.equal(false);
    }
  }
  expect(/only-known-here/.test(text), `a header in ${where}`).to.equal(false);
}

describe('secrets of the environment and of .env', () => {
  after(() => {
    endServing();
    removeProjects();
  });

  it('are nowhere in what is saved, printed or exported, whichever way they come', async () => {
    const project = new Project({
      'secret.eval.ts': source,
      'crash.eval.ts': crash,
      '.env': dotEnv(),
    });
    const env = { ...inEnvironment, HARMLESS: harmless };
    const { run, stdout, stderr, result } = await project.run(['--verbose', '-o', 'out.csv'], {
      env,
    });
    expect(run.results).to.have.lengthOf(14);
    expectNoSecret(stdout, 'stdout');
    expectNoSecret(stderr, 'stderr');
    expectNoSecret(project.savedText(), 'the results directory');
    expectNoSecret(project.read('out.csv'), 'the CSV file');
    const exports = await Promise.all(
      ['json', 'csv', 'md'].map((format) =>
        project.assay(
          [
            'export',
            'latest',
            '-f',
            format,
            '--columns',
            'eval,input,output,error,scores,metadata',
          ].slice(0, format === 'json' ? 4 : 6),
          { env },
        ),
      ),
    );
    for (const { stdout, stderr, code } of exports) {
      expect(code, stderr).to.equal(0);
      expectNoSecret(stdout, 'an export');
    }
    expect(project.savedText(), 'what is not secret stays').to.include(harmless);
    expect(JSON.stringify(result('returns').output)).to.include('[redacted:GITHUB_TOKEN]');
    expect(result('crashes').error).to.include('[redacted:OPENAI_API_KEY]');
    expect(result('crashes').error).to.include('[redacted:DOTENV_API_KEY]');
  });

  it('are in no answer of a server, in no event and in nothing that it prints', async () => {
    const files = { '.env': dotEnv(), 'a.eval.ts': source, 'crash.eval.ts': crash };
    const { url, child, ended, project } = await serve(files, [], {
      ...inEnvironment,
      HARMLESS: harmless,
    });
    const read = async (path: string, init?: RequestInit) =>
      (await fetch(`${url}${path}`, init)).text();
    const events = read('/api/events').catch(() => '');
    const ran = await read('/api/runs/rerun?wait=true', { method: 'POST' });
    const { run_id } = JSON.parse(ran) as { run_id: string };
    const run = `/api/runs/${run_id}`;
    const { results } = JSON.parse(await read('/results')) as { results: readonly unknown[] };
    expect(results.length).to.be.greaterThan(10);
    for (const path of [
      '/results',
      '/api/config',
      '/api/sessions/default/runs',
      run,
      `${run}/data`,
      `${run}/rows?search=canary`,
      `${run}/rows?limit=100`,
      ...results.map((_, index) => `${run}/results/${index}`),
      ...['csv', 'json'].map((format) => `${run}/export/${format}`),
      '/api/runs/nowhere',
    ]) {
      const text = await read(path);
      expect(text, path).not.to.equal('');
      expectNoSecret(text, path);
    }
    expect(await read(`${run}/data`)).to.include(harmless);
    child.kill('SIGINT');
    const { stdout, stderr } = await ended;
    expect(await events).to.include('data:');
    expectNoSecret(
      `${await events}${stdout}${stderr}${project.savedText()}`,
      'events, output, files',
    );
  });

  it('are not in what is said about files that cannot be imported', async () => {
    const bad = [
      `throw new Error('no access with ' + process.env.OPENAI_API_KEY + process.env.DOTENV_API_KEY);`,
      `import { writeSync } from 'node:fs'; writeSync(2, process.env.OPENAI_API_KEY + process.env.DOTENV_API_KEY); process.reallyExit(1);`,
      `console.error(process.env.OPENAI_API_KEY); console.log(process.env.DOTENV_API_KEY); throw 1;`,
      `import { evaluation } from 'assay'; setTimeout(() => { throw new Error(process.env.OPENAI_API_KEY); }, 50); export const a = evaluation({}, () => new Promise((r) => setTimeout(r, 200)));`,
    ];
    await Promise.all(
      bad.map(async (text) => {
        const project = new Project({ 'bad.eval.ts': text, '.env': dotEnv() });
        for (const DEBUG of ['', '1']) {
          const { stdout, stderr } = await project.assay(['run', '--verbose', '--json'], {
            env: { ...inEnvironment, DEBUG },
          });
          expectNoSecret(stderr, `stderr for ${text}`);
          expectNoSecret(stdout, `stdout for ${text}`);
        }
      }),
    );
  });

  it('are found when they are printed in pieces', async () => {
    const project = new Project({
      'pieces.eval.ts': `
import { evaluation } from 'assay';
export const pieces = evaluation({}, async () => {
  const [start, end] = [process.env.OPENAI_API_KEY.slice(0, 10), process.env.OPENAI_API_KEY.slice(10)];
  process.stdout.write('first ' + start);
  process.stdout.write(end + '\\n');
  process.stderr.write('second ' + start);
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.stderr.write(end);
});
`,
    });
    const { stderr, result } = await project.run(['--verbose'], { env: inEnvironment });
    const { logs } = result('pieces').trace_data as { logs: { text: string }[] };
    expect(logs.map((log) => log.text)).to.deep.equal([
      'first [redacted:OPENAI_API_KEY]\n',
      'second [redacted:OPENAI_API_KEY]',
    ]);
    expectNoSecret(stderr, 'stderr');
  });

  it('are not repeated from source lines that hold them', async () => {
    const project = new Project({
      'hard.eval.ts': `
import { evaluation } from 'assay';
export const hard = evaluation({}, () => { throw new Error('at ' + '${inEnvironment.GITHUB_TOKEN}'); });
`,
    });
    const { stdout, stderr } = await project.run([], { env: inEnvironment });
    expectNoSecret(stdout, 'stdout');
    expectNoSecret(stderr, 'stderr');
  });
});
