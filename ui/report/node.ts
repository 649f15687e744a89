// What the store and the API use of Node, for a page: every `node:` module is this one. A report is a disk that can only be
// read, so whatever would write fails as it does there.
import { sha256 } from '@noble/hashes/sha2.js';
import { Buffer } from 'buffer/';
import { look, lookAtOpen, namesIn, openFile, readOpen } from './disk.js';

export { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'pathe';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encode = Buffer.prototype.toString;
// The decoder of the browser is several times as fast.
Buffer.prototype.toString = function (
  this: Buffer,
  encoding = 'utf8',
  start = 0,
  end = this.length,
) {
  if (encoding !== 'utf8') return encode.call(this, encoding, start, end);
  return decoder.decode(this.subarray(start, end));
};

// The store takes Buffer and process as they are in Node: as globals.
Object.assign(globalThis, {
  Buffer,
  process: { pid: 0, platform: 'linux', env: {}, versions: {}, kill: () => true },
});

export const constants = {
  ...{ O_RDONLY: 0, O_RDWR: 2, O_APPEND: 1024, O_NOFOLLOW: 0, O_NONBLOCK: 0 },
  MAX_STRING_LENGTH: 2 ** 29 - 24,
};

export const lstatSync = look;
export const existsSync = (path: string) => look(path) !== undefined;
export const readdirSync = namesIn;
export const openSync = (path: string, flags: number) => openFile(path, flags === 0);
export const fstatSync = lookAtOpen;
export const readSync = readOpen;
export const closeSync = () => {};
export const realpathSync = (path: string) => path;

export function read(
  ...[fd, bytes, start, length, position, done]: [
    number,
    Uint8Array,
    number,
    number,
    number,
    (error: Error | null, got: number) => void,
  ]
): void {
  done(null, readOpen(fd, bytes, start, length, position));
}

const turns: (() => void)[] = [];
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => turns.shift()?.();

/** A turn of the event loop. A timer that timers start would wait for 4 ms each time. */
export const setImmediate = () =>
  new Promise<void>((resolve) => {
    turns.push(resolve);
    port2.postMessage(undefined);
  });
export const setTimeout = (milliseconds: number) =>
  new Promise<void>((resolve) => globalThis.setTimeout(resolve, milliseconds));

export function createHash(_algorithm: 'sha256') {
  const hash = sha256.create();
  const made = {
    update: (text: string) => {
      hash.update(new TextEncoder().encode(text));
      return made;
    },
    digest: (encoding: 'hex' | 'base64url') => encoded(hash.digest(), encoding),
  };
  return made;
}

export const hash = (
  algorithm: 'sha256',
  text: string,
  encoding: 'hex' | 'base64url' = 'hex',
): string => createHash(algorithm).update(text).digest(encoding);

function encoded(bytes: Uint8Array, encoding: 'hex' | 'base64url'): string {
  if (encoding === 'hex') return Buffer.from(bytes).toString('hex');
  const text = Buffer.from(bytes).toString('base64');
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** For plain JSON with its keys in the same order. */
export const isDeepStrictEqual = (one: unknown, two: unknown) =>
  JSON.stringify(one) === JSON.stringify(two);

export const promisify = (act: unknown) => act;
export const hostname = () => '';
export const STATUS_CODES: Readonly<Record<number, string>> = { 404: 'Not Found', 409: 'Conflict' };
export const createRequire = () => (name: string) => {
  throw new Error(`${name} is not in a report`);
};
export const randomBytes = (length: number) =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(length)));
