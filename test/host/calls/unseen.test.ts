import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { ResultEntry } from '../../../src/model/result.js';
import { Project } from '../../helpers/project.js';

const evals = `
import { evaluation } from 'assay';
import { once } from 'node:events';
import http from 'node:http';

const socketUrl = process.env.SOCKETS as string;

/** As the package ws does it. */
const upgrades = () => new Promise((resolve, reject) => {
  const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
  http.get(socketUrl, { headers }).on('error', reject).on('upgrade', (_, socket, head) => {
    const read = (frame: Buffer) => { socket.destroy(); resolve(frame.subarray(2).toString()); };
    if (head.length > 0) read(head);
    else socket.once('data', read);
  });
});
const builtIn = async () => {
  const socket = new (globalThis as any).WebSocket(socketUrl.replace('http', 'ws'));
  const [{ data }] = await once(socket, 'message');
  socket.close();
  return data;
};
const unseen: Record<string, () => unknown> = {
  upgrades,
  builtIn,
};
export const target = evaluation({
  cases: Object.keys(unseen).map((id) => ({ id, input: id })),
  target: ({ input }) => unseen[input]?.(),
  evaluators: [({ calls, toolCalls, usage }) => ({ key: 'sees none', passed: calls.length + toolCalls.length + usage.calls === 0 })],
});
export const byHand = evaluation({
  target: async (ctx) => {
    const answer = await upgrades();
    ctx.traceData.messages = [{ role: 'user', content: 'hello' }, { role: 'assistant', content: answer }];
    return answer;
  },
});
`;

/** Sends one text to each WebSocket. */
function sayHello(server: Server): void {
  server.on('upgrade', (request, socket) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    const text = 'hello from the socket';
    socket.on('error', () => undefined);
    // Its closing frame is answered as it came.
    socket.on('data', (frame) => socket.end(Buffer.from([0x88, 0, ...frame.subarray(0, 0)])));
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    socket.write(Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)]));
  });
}

describe('WebSockets to addresses that are none of models', () => {
  const server = createServer();
  let project: Project;
  let env: Record<string, string>;

  before(async () => {
    sayHello(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    project = new Project({ 'unseen.eval.ts': evals });
    env = {
      SOCKETS: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      // Node 20 has a WebSocket behind this option.
      ...(!('WebSocket' in globalThis) && { NODE_OPTIONS: '--experimental-websocket' }),
    };
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('work, are said nowhere, not even as none, and are none for --fail-on no-calls', async () => {
    const { run, stderr, code } = await project.run(['--fail-on', 'no-calls'], { env });
    expect(code).to.equal(1);
    expect(stderr).to.include('no model was called by the target of unseen.eval.ts::');
    expect(run).to.not.have.property('usage');
    expect(run.results).to.have.length(3);
    for (const { function: name, result } of run.results) {
      expect(result.error, name).to.equal(null);
      expect(result.output, name).to.equal('hello from the socket');
      expect(
        result.scores.map(({ passed }) => passed),
        name,
      ).to.not.include(false);
      expect(result, name).to.not.have.any.keys('usage', 'waited');
    }
    const { stdout } = await project.assay(['export', 'latest', '-f', 'json', '--calls']);
    const { results } = JSON.parse(stdout) as { results: readonly ResultEntry[] };
    for (const { function: name, result } of results) {
      expect(result.calls ?? [], name).to.deep.equal([]);
    }
    const byHand = results.find(({ function: name }) => name === 'byHand');
    expect(byHand?.result.trace_data.messages).to.have.length(2);
    const shown = [
      stderr.replace(/^.*--fail-on no-calls.*$|^.*no model was called.*$/gm, ''),
      (await project.assay(['show', 'latest'])).stdout,
      (await project.assay(['show', 'latest', results[0]?.id ?? ''])).stdout,
      (await project.assay(['export', 'latest', '-f', 'md'])).stdout,
    ].join('\n');
    expect(shown).to.not.match(/\bcalls?\b|\btokens?\b|\$0/);
    expect(project.savedText()).to.not.include('"type":"calls"');
  });
});
