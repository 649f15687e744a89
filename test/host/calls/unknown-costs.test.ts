import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import type { ResultEntry } from '../../../src/model/result.js';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { type JsonRun, Project } from '../../helpers/project.js';

const evals = `
import { execFile, execFileSync, execSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { evaluation } from 'assay';

const url = process.env.PROVIDER + '/v1/chat/completions';
const { hostname, port } = new URL(url);
const body = JSON.stringify({ model: 'cheap', messages: [{ role: 'user', content: 'hello' }] });
const script = (code: string) =>
  'const { parentPort, Worker } = require("node:worker_threads"), url = ' + JSON.stringify(url) + ', body = ' + JSON.stringify(body) + ';' +
  'const say = (text) => parentPort.postMessage(text);' + code;
const ask = 'fetch(url, { method: "POST", body }).then((answer) => answer.text()).then(say);';
const answerOf = async (worker: Worker) => (await once(worker, 'message'))[0];
const thread = (code: string, env = process.env) => answerOf(new Worker(script(code), { eval: true, env }));
const rest = new Worker(script('parentPort.on("message", () => ' + ask.slice(0, -1) + ');'), { eval: true });
rest.unref();
const raw = (...texts: string[]) => new Promise((resolve, reject) => {
  const socket = net.connect(Number(port), hostname);
  socket.on('error', reject);
  socket.once('data', (answer) => { socket.destroy(); resolve(String(answer)); });
  for (const text of texts) socket.write(text);
});
const head = (path: string, length: number, more = '') =>
  'POST ' + path + ' HTTP/1.1\\r\\nhost: ' + hostname + ':' + port + '\\r\\ncontent-length: ' + length + '\\r\\n' + more + '\\r\\n';
const cases: Record<string, () => unknown> = {
  'thread fetch': () => thread(ask),
  'thread http': () => thread('require("node:http").request(url, { method: "POST" }, (answer) => { answer.resume().on("end", () => say("done")); }).end(body);'),
  'thread of a thread': () => thread('new Worker(' + JSON.stringify(script(ask)) + ', { eval: true }).on("message", say);'),
  'thread in TypeScript': () => answerOf(new Worker(new URL('./thread.ts', import.meta.url), { workerData: { url, body } })),
  'thread of the file': () => { rest.postMessage('go'); return answerOf(rest); },
  'thread program': () => thread('say(require("node:child_process").execFileSync(process.execPath, ["-e", "1"]).length);'),
  'thread harmless program': () => thread('say(String(require("node:child_process").execSync("cat package.json")));'),
  'thread in another PATH': () => thread('say(String(require("node:child_process").execSync("cat package.json")));', { PATH: '/bin:/usr/bin' }),
  'program': () => promisify(execFile)(process.execPath, ['-e', '1']),
  'program in a shell': () => String(execSync(JSON.stringify(process.execPath) + ' -e 1; echo done')),
  'program that waits': () => String(execFileSync(process.execPath, ['-e', '1'])),
  'forked': async () => (await once(fork(new URL('./forked.mjs', import.meta.url)), 'exit'))[0],
  'no program': () => once(spawn('no-such-program'), 'error').then(() => 'none'),
  'harmless program': () => String(execSync('cat package.json')),
  'harmless program that is spawned': () => once(spawn('cat package.json', { shell: true }), 'exit').then(() => 'ok'),
  'cat in another PATH': () => String(execFileSync('cat', ['package.json'], { env: { PATH: '/bin:/usr/bin' } })),
  'cat in another PATH, spawned': () => once(spawn('cat', ['package.json'], { env: { PATH: '/bin:/usr/bin' } }), 'exit').then(() => 'ok'),
  'git of another program': () => String(execFileSync('git', ['--version'], { env: { ...process.env, GIT_EXTERNAL_DIFF: './x' } })),
  'git of another program, spawned': () => once(spawn('git', ['--version'], { env: { ...process.env, GIT_PAGER: './x' } }), 'exit').then(() => 'ok'),
  'git of a known author': () => String(execSync('git --version', { env: { ...process.env, GIT_AUTHOR_NAME: 'x' } })),
  'below the modules': () => typeof (process as any).binding('process_wrap').Process,
  'below the modules, in a thread': () => thread('say(typeof process.binding("spawn_sync").spawn);'),
  'socket': () => raw(head('/v1/chat/completions', body.length) + body),
  'socket in pieces': () => raw(head('/v1/chat/completions', body.length), body),
  'socket byte by byte': () => raw(...(head('/v1/chat/completions', body.length) + body)),
  'socket of two calls': () => raw(...Array(2).fill(head('/v1/chat/completions', body.length) + body).join('').match(/[^]{1,150}/g)!),
  'socket with an unread body': () => raw(head('/odd', 3, 'content-encoding: gzip\\r\\n') + 'abc'),
  'socket of something else': () => raw(head('/metrics', 7) + '{"a":1}'),
  'socket of a database': () => new Promise((resolve, reject) => {
    const socket = net.connect(Number(process.env.DATABASE), '127.0.0.1');
    socket.on('error', reject);
    socket.once('data', () => { socket.destroy(); resolve('ok'); });
    socket.write('*1\\r\\n$4\\r\\nPING\\r\\n');
  }),
  'WebSocket': () => new Promise((resolve) => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    http.get('http://127.0.0.1:' + process.env.SOCKETS + '/v1/realtime?model=x', { headers }).on('upgrade', (_, socket) => { socket.destroy(); resolve('ok'); });
  }),
};
export const odd = evaluation({
  cases: Object.keys(cases).map((id) => ({ id, input: id })),
  target: ({ input }) => cases[input]?.(),
  evaluators: [({ calls }) => calls.every((call) => call.program === undefined)],
});
export const limited = evaluation({
  limits: { calls: 5 },
  target: async () => String(execFileSync(process.execPath, ['-e', '1'])),
});
export const killed = evaluation({
  timeout: 0.5,
  target: () => String(execFileSync(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'])),
});
`;

const thread = `
import { parentPort, workerData } from 'node:worker_threads';
type Asked = { url: string; body: string };
const { url, body } = workerData as Asked;
fetch(url, { method: 'POST', body }).then((answer) => answer.text()).then((text) => parentPort?.postMessage(text));
`;

describe('calls whose cost is not seen', () => {
  const database = createServer((socket) => socket.once('data', () => socket.write('+PONG\r\n')));
  const sockets = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () =>
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\r\n',
      ),
    );
  });
  let provider: FakeProvider;
  let project: Project;
  let env: Record<string, string>;
  let ended: JsonRun;
  const portOf = (server: typeof database) => String((server.address() as { port: number }).port);

  before(async () => {
    provider = await startFakeProvider(({ request }) =>
      request.url === '/v1/chat/completions' ? undefined : { raw: '{"ok":true}' },
    );
    for (const server of [database, sockets]) {
      await once(server.listen(0, '127.0.0.1'), 'listening');
    }
    const port = (server: typeof database) => portOf(server);
    env = { PROVIDER: provider.url, DATABASE: port(database), SOCKETS: port(sockets) };
    project = new Project({
      'a.eval.ts': evals,
      'thread.ts': thread,
      'forked.mjs': 'process.exit(0);',
      'assay.yaml': 'prices:\n  cheap: { input: 1000, output: 1000 }\n',
    });
    ended = await project.run(['a.eval.ts::odd'], { env });
  });
  after(() => {
    for (const server of [database, sockets]) server.close();
  });

  const usageOf = (id: string): ResultEntry['result']['usage'] =>
    ended.run.results.find((entry) => entry.id === `a.eval.ts::odd[${id}]`)?.result.usage;

  it('no attempt fails for being looked at, and evaluators see no programs among the calls', () => {
    for (const { id, result } of ended.run.results) {
      expect(result.error, id).to.equal(null);
      expect(result.scores[0]?.passed, id).to.equal(true);
    }
  });

  it('are those of threads no longer: they have tokens and prices', () => {
    const names = ['fetch', 'http', 'of a thread', 'in TypeScript', 'of the file'];
    for (const name of names) {
      const usage = usageOf(`thread ${name}`);
      expect(usage, name).to.include({ calls: 1 });
      expect(usage?.cost, name).to.be.above(0);
      expect(usage, name).to.not.have.any.keys('unpriced', 'other_calls');
    }
  });

  it('are those of programs, unless these are known to call no model', () => {
    const names: Readonly<Record<string, readonly string[]>> = {
      node: ['thread program', 'program', 'forked', 'program that waits'],
      sh: ['program in a shell'],
      git: ['git of another program', 'git of another program, spawned'],
      'process.binding': ['below the modules', 'below the modules, in a thread'],
      cat: ['thread in another PATH', 'cat in another PATH', 'cat in another PATH, spawned'],
    };
    for (const [program, ids] of Object.entries(names)) {
      for (const id of ids) {
        expect(usageOf(id), id).to.deep.include({
          ...{ calls: 0, cost: null, unpriced: 1, programs: 1 },
          program_names: [program],
        });
      }
    }
    const harmless = ['harmless program', 'thread harmless program', 'git of a known author'];
    for (const name of ['no program', ...harmless, 'harmless program that is spawned']) {
      expect(usageOf(name), name).to.equal(undefined);
    }
  });

  it('are those of requests that code writes to a socket, and of WebSockets to models', () => {
    for (const name of ['socket', 'socket in pieces', 'socket byte by byte']) {
      expect(usageOf(name), name).to.deep.include({
        ...{ calls: 1, cost: null, unpriced: 1, without_tokens: 1 },
        models_without_tokens: ['cheap'],
      });
    }
    expect(usageOf('socket of two calls')).to.include({ calls: 2, without_tokens: 2 });
    const { host } = new URL(provider.url);
    expect(usageOf('socket with an unread body')).to.deep.include({
      ...{ calls: 1, cost: null, unknown_calls: 1, unknown_hosts: [host] },
    });
    expect(usageOf('WebSocket')).to.deep.include({
      ...{ calls: 1, cost: null, unknown_calls: 1 },
      unknown_hosts: [`127.0.0.1:${portOf(sockets)}`],
    });
    expect(usageOf('socket of something else')).to.deep.include({ calls: 0, other_calls: 1 });
    expect(usageOf('socket of a database')).to.equal(undefined);
  });

  it('make gates and budgets end with 2, and are said beside the cost', async () => {
    const gates = ['--fail-over', 'cost=1,calls=5', '--fail-on', 'no-calls', '--max-cost', '5'];
    const { code, stderr, stdout } = await project.assay(
      ['run', 'a.eval.ts::odd[program]', ...gates],
      { env },
    );
    expect(code, stderr).to.equal(2);
    const text = '1 program was started, what it calls is not seen: node';
    for (const gate of ['cost ≤ $1.00', 'calls ≤ 5', 'no-calls']) {
      expect(stderr).to.include(
        `? ${gate} cannot be judged: ${text}; programs that call no models`,
      );
    }
    expect(stderr).to.include('? max-cost $5.00 cannot be judged: ');
    expect(
      stderr.match(/! The program node was started, and its calls are not seen/g),
    ).to.have.length(1);
    expect(`${stdout}${stderr}`).to.match(
      new RegExp(
        `^  ${text} · programs that call no models belong under not_models in assay.yaml$`,
        'm',
      ),
    );
    const shown = await project.assay(['show', 'latest', 'a.eval.ts::odd[program]']);
    expect(shown.stdout).to.match(/target {2}program node · .* · its calls are not seen/);
  });

  it('leave limits on calls undecided, also when a process is killed while it waits for a program', async () => {
    const names = ['a.eval.ts::limited', 'a.eval.ts::killed'];
    const args = [...names, '--workers', '1', '--concurrency', '1'];
    const { code, stderr, result } = await project.run(args, { env });
    expect(code, stderr).to.equal(2);
    expect(stderr).to.match(
      /\? limits on calls of evaluations cannot be judged: \d programs? (was|were) started, what (it calls|they call) is not seen: node;/,
    );
    expect(result('killed').error).to.include('timed out');
    expect(result('killed').usage).to.include({ calls: 0, cost: null, programs: 1 });
  });

  it('are errors of a run with --offline', async () => {
    const ids = ['a.eval.ts::odd[thread fetch]', 'a.eval.ts::odd[socket]'];
    const { run } = await project.run([...ids, '--offline'], { env });
    const errors = run.results.map(({ result }) => result.error ?? '');
    expect(errors[0]).to.include('calls of other threads can be neither recorded nor answered');
    expect(errors[1]).to.include('writes to a socket itself can be neither recorded nor answered');
  });

  it('cost nothing once the settings say that a program calls no model', async () => {
    const known = new Project({
      'a.eval.ts': evals,
      'thread.ts': thread,
      'assay.yaml': 'not_models: [node]\n',
    });
    const gate = ['--fail-over', 'cost=1'];
    const run = await known.assay(['run', 'a.eval.ts::odd[program]', ...gate], { env });
    expect(run.code, run.stderr).to.equal(0);
    expect(run.stderr).to.include('✓ cost $0.00, at most $1.00 asked for');
  });
});
