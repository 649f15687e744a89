import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { type JsonRun, Project } from '../helpers/project.js';
import { linkPackages } from '../helpers/project-folder.js';

/** Does the same by each means, to the hosts and ports of the environment; the output says how each ended. */
const evals = `
import { evaluation } from 'assay';
import { execFile, fork } from 'node:child_process';
import dgram from 'node:dgram';
import dns, { lookup } from 'node:dns';
import { lookup as lookupPromised } from 'node:dns/promises';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import net, { connect } from 'node:net';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import { request } from 'undici';

/** Of the case that runs: one at a time. */
let host = '';
let port = 0;
let udp = 0;
const source = () => \`require('net').connect(\${port}, '\${host}')
  .on('connect', () => { console.log('connected'); process.exit(); })
  .on('error', (error) => { console.log(error.message); process.exit(); })\`;
const settled = (socket: net.Socket | http2.ClientHttp2Session) =>
  new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => resolve('closed'));
  }).finally(() => socket.destroy());
const said = async ({ stdout }: Worker) => String((await once(stdout, 'data'))[0]);
const send = (...more: any[]) =>
  new Promise((resolve, reject) => {
    const socket = dgram.createSocket('udp4').unref();
    (socket.send as any)('hello', ...more, udp, host, (error: Error) => error ? reject(error) : resolve('sent'));
  });
const means: Record<string, () => Promise<unknown>> = {
  net: () => settled(net.connect(port, host)),
  'net by import': () => settled(connect({ port, host })),
  'net with text': () => settled(net.createConnection(String(port) as never, host, () => undefined)),
  'socket': () => settled(new net.Socket().connect({ port, host })),
  'socket with a port': () => settled(new net.Socket().connect(port, host)),
  'tls with a port': () => settled(tls.connect(port, host, { rejectUnauthorized: false })),
  tls: () => settled(tls.connect({ port, host, rejectUnauthorized: false })),
  http2: () => settled(http2.connect('http://' + host + ':' + port)),
  undici: () => request('http://' + host + ':' + port),
  dgram: () => send(),
  'dgram slice': () => send(0, 5),
  'dgram connect': async () => {
    const socket = dgram.createSocket('udp4').unref();
    await new Promise<void>((resolve, reject) => {
      socket.connect(udp, host, ((error?: Error) => error ? reject(error) : resolve()) as () => void);
    });
    return promisify((done: any) => socket.send('hello', done))();
  },
  resolver: () => {
    const resolver = new dns.promises.Resolver({ timeout: 100, tries: 1 });
    resolver.setServers([host + ':' + udp]);
    return resolver.resolve4('assay.example');
  },
  worker: () => said(new Worker(source(), { eval: true, env: {}, stdout: true })),
  'worker that shares the environment': () => said(new Worker(source(), { eval: true, env: SHARE_ENV, execArgv: [], stdout: true })),
  'worker of a worker': () => {
    const inner = \`const { Worker } = require('node:worker_threads'); new Worker(\${JSON.stringify(source())}, { eval: true, execArgv: [] });\`;
    return said(new Worker(inner, { eval: true, stdout: true }));
  },
  fork: () => said(fork('child.cjs', { silent: true, env: { ...process.env, HOST: host, PORT: String(port) } }) as any),
  'child with options of its own': () => said(execFile(process.execPath, ['child.cjs'], { env: { HOST: host, PORT: String(port), NODE_OPTIONS: '--no-warnings' } }) as any),
  'child of a shell': () => said(execFile('sh', ['-c', '"$0" child.cjs', process.execPath], { env: { HOST: host, PORT: String(port) } }) as any),
  child: async () => (await promisify(execFile)(process.execPath, ['-e', source()])).stdout,
};
const named: typeof means = {
  net: () => settled(net.connect(443, 'assay.example')),
  'IPv6': () => settled(net.connect(443, '2001:db8::1')),
  lookup: () => promisify(lookup)('assay.example'),
  'promised lookup': () => lookupPromised('assay.example'),
  resolve: () => promisify(dns.resolve4)('assay.example'),
  reverse: () => dns.promises.reverse('192.0.2.1'),
  'resolve of this machine': () => dns.promises.resolveTxt('secret.localhost'),
  fetch: () => fetch('https://assay.example/'),
};
const local: typeof means = {
  lookup: async () => (await promisify(lookup)('localhost', 4)).address,
  'lookup of an address': () => lookupPromised('192.0.2.1'),
  path: () => settled(net.connect('/no/such/socket')),
  'Unix socket': async () => {
    const server = net.createServer((socket) => socket.end()).listen('own.sock');
    await once(server, 'listening');
    try {
      return [await settled(net.connect('own.sock')), await settled(net.connect({ path: 'own.sock' }))].join();
    } finally {
      server.close();
    }
  },
  'other loopback': async () => {
    const server = net.createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as net.AddressInfo;
    try {
      return [await settled(net.connect(port, '127.1')), await settled(net.connect(port))].join();
    } finally {
      server.close();
    }
  },
  // Whether they can be reached is up to the machine.
  'IPv4 in IPv6': () => settled(net.connect(9, '::ffff:127.0.0.1')),
  'host of a getter': () => {
    let reads = 0;
    return settled(new net.Socket().connect({ port: 9, get host() { return reads++ === 0 ? '127.0.0.1' : '192.0.2.1'; } }));
  },
  'loopback of IPv6': () => settled(net.connect(9, '::1')),
  'bad port': () => settled(net.connect(70000, '192.0.2.1')),
};
const how = async (all: typeof means) => {
  const ended: Record<string, unknown> = {};
  for (const [name, work] of Object.entries(all)) {
    ended[name] = await Promise.resolve().then(work).catch((error) => [error.code ?? error.cause?.code, error.message, error.cause?.message].join(' ').trim());
  }
  return ended;
};
const { TARGETS = '' } = process.env;
export const byMeans = evaluation({
  timeout: 60_000,
  cases: TARGETS.split(' ').map((id) => ({ id, input: id.split('|') })),
  target: ({ input }) => {
    [host, port, udp] = [input[0] ?? '', Number(input[1]), Number(input[2])];
    // Programs and threads have the same guard, and take long to start.
    return how(host === 'localhost' ? Object.fromEntries(Object.entries(means).filter(([name]) => !/child|worker|fork/.test(name))) : means);
  },
});
/** Says of a name of this machine that it is elsewhere. */
const elsewhere = (_: string, { all }: { all?: boolean }, done: any) =>
  all ? done(null, [{ address: '127.0.0.1', family: 4 }, { address: host, family: 4 }]) : done(null, host, 4);
const looked: typeof means = {
  net: () => settled(net.connect({ port, host: 'localhost', lookup: elsewhere as never })),
  'net of one address': () => settled(net.connect({ port, host: 'localhost', lookup: elsewhere as never, autoSelectFamily: false })),
  'net without a host': () => settled(net.connect({ port, lookup: elsewhere as never })),
  tls: () => settled(tls.connect({ port, host: 'a.localhost', lookup: elsewhere as never, rejectUnauthorized: false })),
  http: () => new Promise((resolve, reject) => { http.get({ port, host: 'localhost', lookup: elsewhere as never }, resolve).on('error', reject); }),
  'replaced lookup': () => {
    const before = dns.lookup;
    dns.lookup = elsewhere as never;
    return settled(net.connect(port, 'localhost')).finally(() => { dns.lookup = before; });
  },
  dgram: () => new Promise((resolve, reject) => {
    dgram.createSocket({ type: 'udp4', lookup: elsewhere as never }).unref().send('hello', udp, 'localhost', (error) => error ? reject(error) : resolve('sent'));
  }),
  'dgram by its class': () => new Promise((resolve, reject) => {
    const socket = new (dgram.Socket as any)({ type: 'udp4', lookup: elsewhere });
    socket.on('error', reject).unref().send('hello', udp, 'localhost', (error: Error) => error ? reject(error) : resolve('sent'));
  }),
};
export const byLookup = evaluation({
  timeout: 60_000,
  target: () => {
    [host, port, udp] = ((TARGETS.split(' ')[0] ?? '').split('|') as [string, string, string]).map((one, at) => at === 0 ? one : Number(one)) as [string, number, number];
    return how(looked);
  },
});
export const byName = evaluation({ timeout: 60_000, target: () => how(named) });
export const onThisMachine = evaluation({ timeout: 60_000, target: () => how(local) });
`;

const child = `
const { HOST, PORT } = process.env;
require('net').connect(Number(PORT), HOST)
  .on('connect', () => { console.log('connected'); process.exit(); })
  .on('error', (error) => { console.log(error.message); process.exit(); });
`;

/** Ends connections and counts them, and packets. */
async function startServers(host: string) {
  const seen = { connections: 0, packets: 0 };
  const tcp = createServer((socket) => {
    seen.connections += 1;
    socket.on('error', () => undefined).end();
  }).listen(0, host);
  const udp = createSocket('udp4').on('message', () => {
    seen.packets += 1;
  });
  udp.bind(0, host);
  await Promise.all([once(tcp, 'listening'), once(udp, 'listening')]);
  const { port } = tcp.address() as { port: number };
  return {
    seen,
    /** What `TARGETS` says to reach it by an address. */
    by: (address: string) => [address, port, udp.address().port].join('|'),
    async [Symbol.asyncDispose]() {
      udp.close();
      tcp.close();
    },
  };
}

/** An address of this machine that other machines reach; none on a machine without a network. */
const outward = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.internal === false && address.family === 'IPv4')?.address;

describe('offline', () => {
  const refused = /not recorded: .*; --offline refuses the network/;
  const args = ['--workers', '1', '--concurrency', '1'];
  let project: Project;
  let run: JsonRun;
  let own: Servers;
  let other: Servers;
  const ended = (name: string) => run.result(name).output as unknown as Record<string, string>;

  before(async function () {
    this.timeout(240_000);
    own = await startServers('127.0.0.1');
    other = await startServers(outward ?? '127.0.0.1');
    project = new Project({ 'a.eval.ts': evals, 'child.cjs': child });
    linkPackages(project.folder, ['undici']);
    const TARGETS = [
      other.by(outward ?? '192.0.2.1'),
      own.by('127.0.0.1'),
      own.by('localhost'),
    ].join(' ');
    run = await project.run(['--offline', ...args], { env: { TARGETS } });
    for (const { id, result } of run.run.results) expect(result.error, id).to.equal(null);
  });

  after(() => Promise.all([own, other].map((servers) => servers[Symbol.asyncDispose]())));

  it('refuses connections by any means of Node beyond loopback, and only then', async () => {
    const target = other.by(outward ?? '192.0.2.1');
    const offline = ended(`byMeans[${target}]`);
    expect(Object.keys(offline)).to.have.length(20);
    for (const [name, how] of Object.entries(offline)) expect(how, name).to.match(refused);
    const address = target.split('|').slice(0, 2).join(':');
    expect(offline.net).to.equal(
      `ERR_ASSAY_OFFLINE not recorded: connection to ${address}; --offline refuses the network`,
    );
    expect(other.seen).to.deep.equal({ connections: 0, packets: 0 });
    const env = { TARGETS: other.by(outward ?? '127.0.0.1') };
    const online = await project.run(['a.eval.ts::byMeans', ...args], { env });
    expect(JSON.stringify(online.run.results)).not.to.match(refused);
    expect(other.seen.connections).to.be.at.least(16);
    expect(other.seen.packets).to.be.at.least(4);
  });

  it('refuses what a lookup says of a name of this machine', () => {
    const looked = ended('byLookup');
    expect(Object.keys(looked)).to.have.length(8);
    for (const [name, how] of Object.entries(looked)) expect(how, name).to.match(refused);
  });

  it('refuses names and addresses without asking for them', () => {
    const named = ended('byName');
    expect(Object.keys(named)).to.have.length(8);
    for (const [name, how] of Object.entries(named)) {
      expect(how, name).to.include(name === 'fetch' ? 'not recorded' : '--offline refuses');
    }
    expect(named.IPv6).to.include('connection to [2001:db8::1]:443;');
  });

  it('lets connections to this machine pass', () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const { resolver, ...local } = ended(`byMeans[${own.by(host)}]`);
      expect(resolver).to.be.a('string');
      expect(JSON.stringify(local)).not.to.match(refused);
    }
    expect(own.seen.connections).to.be.at.least(16 + 9);
    const local = ended('onThisMachine') as Record<string, unknown>;
    expect(local.lookup).to.equal('127.0.0.1');
    expect(local['lookup of an address']).to.deep.equal({ address: '192.0.2.1', family: 4 });
    expect(local.path).to.match(/^ENOENT/);
    expect(local['bad port']).to.match(/^ERR_SOCKET_BAD_PORT/);
    expect(local['Unix socket']).to.equal('closed,closed');
    expect(local['other loopback']).to.equal('closed,closed');
    expect(JSON.stringify(local['host of a getter'])).not.to.include('192.0.2.1');
    expect(JSON.stringify(local)).not.to.match(refused);
  });
});

type Servers = Awaited<ReturnType<typeof startServers>>;
