import { type FileHandle, open } from 'node:fs/promises';
import * as zlib from 'node:zlib';
import { AssayError } from '../errors.js';
import { renderCount } from '../text/count-text.js';

// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16
const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endSize = 22;
const longestComment = 0xffff;

const mostEntryBytes = 256 * 1024 ** 2;
const mostBytes = 2 * 1024 ** 3;

interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly packedSize: number;
  readonly size: number;
  readonly offset: number;
}

/** A zip archive of which entries are read one at a time. */
export interface ZipArchive {
  readonly names: readonly string[];
  /** The text of an entry. Error: `bad-request`, also for one that is larger than it says. */
  readonly text: (name: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Opens a zip archive of up to 2 GB of content, with entries of up to 256 MB. Error: `bad-request`. */
export async function openZip(path: string): Promise<ZipArchive> {
  const file = await open(path, 'r');
  try {
    const entries = new Map((await readDirectory(file)).map((entry) => [entry.name, entry]));
    const total = [...entries.values()].reduce((sum, { size }) => sum + size, 0);
    if (total > mostBytes) throw broken('it has more than 2 GB of content');
    return {
      names: [...entries.keys()],
      async text(name) {
        const entry = entries.get(name);
        if (entry === undefined) throw broken(`it has no ${name}`);
        return (await readEntry(file, entry)).toString('utf8');
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readDirectory(file: FileHandle): Promise<readonly ZipEntry[]> {
  const { size } = await file.stat();
  const tail = await readAt(file, Math.max(0, size - endSize - longestComment), size);
  let end = tail.length - endSize;
  while (end >= 0 && tail.readUInt32LE(end) !== endSignature) end--;
  if (end < 0) throw broken('its end is missing');
  const count = tail.readUInt16LE(end + 10);
  const length = tail.readUInt32LE(end + 12);
  const start = tail.readUInt32LE(end + 16);
  if (count === 0xffff || start === 0xffffffff) throw broken('it is in the format Zip64');
  if (start + length > size) throw broken('its list of entries is damaged');
  const list = await readAt(file, start, start + length);
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count; ) {
    if (at + 46 > list.length || list.readUInt32LE(at) !== entrySignature) {
      throw broken('its list of entries is damaged');
    }
    const nameLength = list.readUInt16LE(at + 28);
    entries.push({
      name: list.toString('utf8', at + 46, at + 46 + nameLength),
      method: list.readUInt16LE(at + 10),
      packedSize: list.readUInt32LE(at + 20),
      size: list.readUInt32LE(at + 24),
      offset: list.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + list.readUInt16LE(at + 30) + list.readUInt16LE(at + 32);
  }
  return entries;
}

async function readEntry(file: FileHandle, entry: ZipEntry): Promise<Buffer> {
  const { name, offset, packedSize, size } = entry;
  if (size > mostEntryBytes) {
    throw broken(`${name} has ${renderCount(size)} bytes, and 256 MB are the most`);
  }
  const head = await readAt(file, offset, offset + 30);
  if (head.length < 30 || head.readUInt32LE(0) !== localSignature) {
    throw broken(`${name} is damaged`);
  }
  const start = offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  const packed = await readAt(file, start, start + packedSize);
  const content = unpack(entry, packed);
  if (content.length !== size) throw broken(`${name} is damaged`);
  return content;
}

const stored = 0;
const deflated = 8;
const zstandard = 93;

type Unpack = (packed: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

function unpack({ name, method, size }: ZipEntry, packed: Buffer): Buffer {
  if (method === stored) return packed;
  // Node 20, whose types these are, has no Zstandard.
  const { zstdDecompressSync } = zlib as { readonly zstdDecompressSync?: Unpack };
  const unpacker = method === deflated ? zlib.inflateRawSync : zstdDecompressSync;
  if (method !== deflated && method !== zstandard) {
    throw broken(`${name} is compressed by method ${method}, which is not known`);
  }
  if (unpacker === undefined) {
    throw new AssayError(
      'bad-request',
      `It is compressed with Zstandard, which needs Node 22.15 or newer; this is ${process.version}.`,
      { hints: ['Or convert it: inspect log convert LOG --to json --output-dir DIR'] },
    );
  }
  try {
    return unpacker(packed, { maxOutputLength: Math.max(1, size) });
  } catch {
    throw broken(`${name} is damaged`);
  }
}

async function readAt(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const buffer = Buffer.alloc(to - from);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
  return buffer.subarray(0, bytesRead);
}

function broken(why: string): AssayError {
  return new AssayError('bad-request', `The zip archive cannot be read: ${why}.`);
}
