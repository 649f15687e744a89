// Makes the n-th change of files below a folder go wrong, in a real process: `node --require disk-faults.cjs …`.
//
// FAULT_ROOT    the folder; everything else is left alone
// FAULT         `<kind>@<n>`, counted from 1; without it changes are only counted. With the name of a file behind it,
//               only changes of files of that name count
// FAULT_FILE    a file that holds such a text, looked at with every change; counting starts again with a new text
// FAULT_REPORT  a file that gets all changes as JSON when the process exits
//
// Kinds: `kill` before the change, `torn` in the middle of a write or after any other change, `eio` and `enospc`
// fail it (a full disk takes half of a write first), `short` takes half of a write and then the rest, `sigint` sends
// that signal and goes on.
const fs = require('node:fs');
const promises = require('node:fs/promises');
const { syncBuiltinESMExports } = require('node:module');
const { basename } = require('node:path');

const real = { ...fs };
const { FAULT_ROOT: root = '/', FAULT_FILE: file, FAULT_REPORT: report } = process.env;
const takesHalf = ['enospc', 'torn', 'short'];
const opened = new Map();
const changes = [];
let fault = parse(process.env.FAULT);
let text;
let count = 0;
let isFull = false;

function parse(written = '') {
  const [what, only] = written.trim().split(' ');
  const [kind, at] = what.split('@');
  return { kind, at: Number(at), only };
}

/** The kind of fault that the next change has. */
function next(name, path, detail = '') {
  const news = file === undefined ? undefined : readOr(file, '');
  if (news !== text) {
    text = news;
    fault = parse(news);
    count = 0;
  }
  changes.push(`${name} ${path.slice(root.length + 1)} ${detail}`.trim());
  if (fault.only !== undefined && basename(path) !== fault.only) return undefined;
  count += 1;
  const kind = count === fault.at ? fault.kind : undefined;
  if (kind === 'kill') process.kill(process.pid, 'SIGKILL');
  if (kind === 'sigint') process.kill(process.pid, 'SIGINT');
  return kind;
}

function readOr(path, fallback) {
  try {
    return real.readFileSync(path, 'utf8');
  } catch {
    return fallback;
  }
}

function failure(kind, name) {
  const code = kind.toUpperCase();
  return Object.assign(new Error(`${code}: made to fail, ${name}`), { code, syscall: name });
}

function isBelow(path) {
  return typeof path === 'string' && path.startsWith(`${root}/`);
}

function afterwards(kind) {
  if (kind === 'torn') process.kill(process.pid, 'SIGKILL');
}

/** A call whose first argument is a path, or the descriptor of a file. */
function wrap(name) {
  fs[name] = (target, ...rest) => {
    const path = typeof target === 'number' ? opened.get(target) : target;
    if (!isBelow(path)) return real[name](target, ...rest);
    const kind = next(name, path);
    if (kind === 'eio' || kind === 'enospc') throw failure(kind, name);
    try {
      return real[name](target, ...rest);
    } finally {
      afterwards(kind);
    }
  };
}

function wrapSync(name) {
  fs[name] = (fd, done) => {
    if (!opened.has(fd)) return real[name](fd, done);
    const kind = next(name, opened.get(fd));
    if (kind === 'eio' || kind === 'enospc') return setImmediate(done, failure(kind, name));
    return real[name](fd, (error) => {
      afterwards(kind);
      done(error);
    });
  };
}

for (const name of ['mkdirSync', 'renameSync', 'linkSync', 'unlinkSync', 'rmdirSync', 'rmSync']) {
  wrap(name);
}
for (const name of ['chmodSync', 'fchmodSync', 'fsyncSync', 'ftruncateSync']) wrap(name);
for (const name of ['fsync', 'fdatasync']) wrapSync(name);

fs.openSync = (path, flags, ...rest) => {
  const changesFiles = isBelow(path) && flags !== 'r' && flags !== fs.constants.O_RDONLY;
  const isNew = changesFiles && !real.existsSync(path);
  const kind = isNew ? next('openSync', path) : undefined;
  if (kind === 'eio' || kind === 'enospc') throw failure(kind, 'open');
  const fd = real.openSync(path, flags, ...rest);
  if (changesFiles) opened.set(fd, path);
  afterwards(kind);
  return fd;
};

fs.closeSync = (fd) => {
  opened.delete(fd);
  return real.closeSync(fd);
};

fs.writeSync = (fd, bytes, ...rest) => {
  const path = opened.get(fd);
  if (path === undefined) return real.writeSync(fd, bytes, ...rest);
  const [offset = 0, length = bytes.length - offset] = rest;
  const kind = next('writeSync', path, bytes.toString('utf8', offset, offset + 40).split(',')[0]);
  if (kind === 'eio') throw failure(kind, 'write');
  if (isFull) {
    isFull = false;
    throw failure('enospc', 'write');
  }
  if (!takesHalf.includes(kind)) return real.writeSync(fd, bytes, offset, length);
  isFull = kind === 'enospc';
  const taken = real.writeSync(fd, bytes, offset, Math.ceil(length / 2));
  afterwards(kind);
  return taken;
};

fs.writeFileSync = (path, data, options) => {
  const write = (some) => {
    // It may be made of the calls above, which must not count as well.
    Object.assign(fs, { openSync: real.openSync, writeSync: real.writeSync });
    try {
      real.writeFileSync(path, some, options);
    } finally {
      Object.assign(fs, { openSync, writeSync });
    }
  };
  if (!isBelow(path)) return real.writeFileSync(path, data, options);
  const kind = next('writeFileSync', path);
  if (kind === 'eio') throw failure(kind, 'open');
  if (kind !== 'enospc' && kind !== 'torn') return write(data);
  write(data.slice(0, Math.ceil(data.length / 2)));
  afterwards(kind);
  throw failure(kind, 'write');
};
const { openSync, writeSync } = fs;

const realRm = promises.rm;
promises.rm = async (path, options) => {
  if (!isBelow(path)) return realRm(path, options);
  const kind = next('rm', path);
  if (kind === 'eio' || kind === 'enospc') throw failure(kind, 'rm');
  await realRm(path, options);
  afterwards(kind);
};

for (const name of ['rename', 'unlink']) {
  const realCall = promises[name];
  promises[name] = async (path, ...rest) => {
    if (!isBelow(path)) return realCall(path, ...rest);
    const kind = next(name, path);
    if (kind === 'eio' || kind === 'enospc') throw failure(kind, name);
    await realCall(path, ...rest);
    afterwards(kind);
  };
}

const realOpen = promises.open;
promises.open = async (path, flags, ...rest) => {
  if (!isBelow(path) || flags === 'r') return realOpen(path, flags, ...rest);
  const kind = next('open', path);
  if (kind === 'eio' || kind === 'enospc') throw failure(kind, 'open');
  const handle = await realOpen(path, flags, ...rest);
  afterwards(kind);
  for (const name of ['writeFile', 'sync', 'chmod']) wrapHandle(handle, name, path);
  return handle;
};

function wrapHandle(handle, name, path) {
  const realCall = handle[name].bind(handle);
  handle[name] = async (given) => {
    const kind = next(name, path);
    if (kind === 'eio') throw failure(kind, name);
    const isHalf = name === 'writeFile' && (kind === 'enospc' || kind === 'torn');
    if (isHalf) await realCall(given.subarray(0, Math.ceil(given.length / 2)));
    else if (kind !== 'enospc') await realCall(given);
    if (kind === 'enospc') throw failure(kind, name);
    afterwards(kind);
  };
}

if (report !== undefined) {
  process.on('exit', () => real.writeFileSync(report, JSON.stringify(changes)));
}
syncBuiltinESMExports();
