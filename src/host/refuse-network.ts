// Refuses connections beyond this machine in every thread and process of Node's that loads it: a run with --offline.
import childProcess, { type ChildProcess } from 'node:child_process';
import dgram from 'node:dgram';
import { channel } from 'node:diagnostics_channel';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import workerThreads, { type Worker, type WorkerOptions } from 'node:worker_threads';
import { isLoopback } from '../text/loopback.js';
import { ownProxy, replaceMethod } from './replace-method.js';

type Method = (this: never, ...given: never[]) => unknown;
type Callback = (error: Error) => void;
type ConnectOptions = Partial<Record<'path' | 'host' | 'port' | 'lookup', unknown>>;
type Found = string | readonly { readonly address: string }[];

const file = fileURLToPath(import.meta.url);
/** Reports the host of a refused connection, in the scope of the code that requested it. */
const refusals = channel('assay:refused');

refuseConnections();
refusePackets();
refuseQueries(dns);
refuseQueries(dns.Resolver.prototype);
refuseQueries(dns.promises, { promised: true });
refuseQueries(dns.promises.Resolver.prototype, { promised: true });
refuseInWorkers();
refuseInChildren();
syncBuiltinESMExports();

/** Of `net` and all that connects by it: `tls`, `http2`, copies of undici. */
function refuseConnections(): void {
  replaceMethod(
    net.Socket.prototype,
    'connect',
    (connect) =>
      function (this: net.Socket, ...given: unknown[]): unknown {
        const { options, callback } = connectArguments(given);
        const { path, port } = options;
        if (path) return Reflect.apply(connect, this, given);
        const host = String(options.host || 'localhost');
        // What has been checked is what Node gets: a getter may give another host the next time.
        const checked = Object.assign(Object.create(Object.getPrototypeOf(options)), options, {
          host,
        });
        if (isOwn(host)) {
          const lookup = lookupOwn(checked.lookup ?? dns.lookup, port);
          const own = net.isIP(host) === 0 ? Object.assign(checked, { lookup }) : checked;
          return Reflect.apply(connect, this, [own, callback]);
        }
        const error = refusal(host, `connection to ${addressText(host, port)}`);
        const lookup = (_name: string, _options: object, done: Callback) =>
          process.nextTick(done, error);
        // In brackets, an IP address is looked up like a name.
        const name = net.isIP(host) === 0 ? host : `[${host}]`;
        const refused = { host: name, lookup, autoSelectFamily: false };
        return Reflect.apply(connect, this, [Object.assign(checked, refused), callback]);
      },
  );
}

/** Sockets take options, a path, or a port and a host; `net.connect()` gives them its arguments as an array. */
function connectArguments(given: unknown[]): { options: ConnectOptions; callback: unknown } {
  const list = Array.isArray(given[0]) ? given[0] : given;
  const [first, second] = list;
  const last = list.at(-1);
  const callback = typeof last === 'function' ? last : undefined;
  if (typeof first === 'object' && first !== null) return { options: first, callback };
  const isPath = typeof first === 'string' && !(Number(first) >= 0);
  if (isPath) return { options: { path: first }, callback };
  const host = typeof second === 'string' ? second : undefined;
  return { options: { port: first, host }, callback };
}

/** Looks up a name of this machine, and refuses addresses of others: whoever looks it up may say any. */
function lookupOwn(lookup: unknown, port?: unknown) {
  if (typeof lookup !== 'function') return lookup;
  return (name: string, options: object, done: (...given: unknown[]) => void): void => {
    lookup(name, options, (error: Error | null, found: Found, ...more: unknown[]) => {
      const addresses =
        typeof found === 'string' ? [found] : (found ?? []).map((one) => one.address);
      const other = error ? undefined : addresses.find((address) => !isOwn(String(address)));
      if (other === undefined) done(error, found, ...more);
      else done(refusal(other, `connection to ${addressText(String(other), port ?? '?')}`));
    });
  };
}

function refusePackets(): void {
  const withLookup = ([options, ...more]: unknown[]): unknown[] => {
    const { lookup } = Object(options) as { readonly lookup?: unknown };
    return [lookup ? { ...Object(options), lookup: lookupOwn(lookup) } : options, ...more];
  };
  replaceMethod(
    dgram,
    'createSocket',
    (createSocket) =>
      (...given: unknown[]): unknown =>
        Reflect.apply(createSocket as (...given: unknown[]) => unknown, dgram, withLookup(given)),
  );
  (dgram as { Socket: unknown }).Socket = ownProxy(dgram.Socket, {
    apply: (socket, self, given) => Reflect.apply(socket as never, self, withLookup(given)),
    construct: (socket, given, made) => Reflect.construct(socket, withLookup(given), made),
  });
  const { prototype } = dgram.Socket;
  replaceMethod(
    prototype,
    'connect',
    (connect) =>
      function (this: dgram.Socket, ...given: unknown[]): unknown {
        const [port, host] = given;
        if (typeof host !== 'string' || isOwn(host)) return Reflect.apply(connect, this, given);
        return failSocket(this, given, refusal(host, `UDP to ${addressText(host, port)}`));
      },
  );
  replaceMethod(
    prototype,
    'send',
    (send) =>
      function (this: dgram.Socket, ...given: unknown[]): unknown {
        // Offset and length of the message may come before the port.
        const [port, host] = typeof given[4] === 'string' ? given.slice(3) : given.slice(1);
        if (typeof host !== 'string' || isOwn(host)) return Reflect.apply(send, this, given);
        return failSocket(this, given, refusal(host, `UDP to ${addressText(host, port)}`));
      },
  );
}

function failSocket(socket: dgram.Socket, given: unknown[], error: Error): void {
  const callback = given.at(-1);
  if (typeof callback === 'function') process.nextTick(callback as Callback, error);
  else process.nextTick(() => socket.emit('error', error));
}

/** DNS: also a name that is looked up can carry data. */
function refuseQueries(object: object, { promised = false } = {}): void {
  const methods = object as Record<string, Method>;
  for (const method of Object.getOwnPropertyNames(object)) {
    if (!/^(lookup|resolve|reverse)/.test(method)) continue;
    replaceMethod(
      methods,
      method,
      (query) =>
        function (this: unknown, ...given: unknown[]): unknown {
          const [name] = given;
          const callback = given.at(-1);
          const isAsked = promised || typeof callback === 'function';
          // Others than lookups ask a server, even for this machine.
          const asksNobody =
            /^lookup/.test(method) &&
            (isOwn(String(name)) ||
              (method === 'lookup' && (name === '' || net.isIP(String(name)) !== 0)));
          if (typeof name !== 'string' || !isAsked || asksNobody) {
            return Reflect.apply(query as (...given: unknown[]) => unknown, this, given);
          }
          const error = refusal(name, `DNS query for ${name}`);
          if (promised) return Promise.reject(error);
          process.nextTick(callback as Callback, error);
          return {};
        },
    );
  }
}

function refuseInWorkers(): void {
  workerThreads.Worker = ownProxy(workerThreads.Worker, {
    construct(target, [script, options, ...more], newTarget): Worker {
      const { execArgv = process.execArgv }: WorkerOptions = options ?? {};
      const refusing = { ...options, execArgv: [...execArgv, '--require', file] };
      return Reflect.construct(target, [script, refusing, ...more], newTarget);
    },
  });
}

/** Makes Node child processes load this file, also with their own environment, except those of `spawnSync()` and similar functions. */
function refuseInChildren(): void {
  process.env.NODE_OPTIONS = refusing(process.env.NODE_OPTIONS);
  replaceMethod(
    childProcess.ChildProcess.prototype as unknown as { spawn: Method },
    'spawn',
    (spawn) =>
      function (this: ChildProcess, ...given: unknown[]): unknown {
        const [options] = given as [{ envPairs?: readonly string[] }];
        const { envPairs } = options;
        if (Array.isArray(envPairs)) options.envPairs = withRefusal(envPairs);
        return Reflect.apply(spawn as (...given: unknown[]) => unknown, this, given);
      },
  );
}

function withRefusal(environment: readonly string[]): string[] {
  const name = 'NODE_OPTIONS=';
  const before = environment.find((pair) => pair.startsWith(name))?.slice(name.length);
  return [...environment.filter((pair) => !pair.startsWith(name)), name + refusing(before)];
}

/** Options of Node with the one that loads this file. */
function refusing(options = ''): string {
  const own = `--require ${JSON.stringify(file)}`;
  return options.includes(own) ? options : `${options} ${own}`.trim();
}

/** True for a host of this machine. */
function isOwn(host: string): boolean {
  return isLoopback(`http://${net.isIPv6(host) ? `[${host}]` : host}`);
}

function addressText(host: string, port: unknown): string {
  return `${net.isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function refusal(host: string, what: string): Error {
  refusals.publish(host);
  const error = new Error(`not recorded: ${what}; --offline refuses the network`);
  return Object.assign(error, { code: 'ERR_ASSAY_OFFLINE' });
}
