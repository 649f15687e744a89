/** The files of a report: read by the store as those of a results directory. */

interface File {
  readonly bytes: Uint8Array;
  readonly inode: number;
}

/** Where the results directory is. */
export const root = '/report';

const files = new Map<string, File>();
/** The names in each folder. */
const folders = new Map<string, Set<string>>([[root, new Set()]]);

/** Adds a file; `path`: below the results directory, such as `default/3f9a0c12be77/results.jsonl`. */
export function addFile(path: string, bytes: Uint8Array): void {
  let folder = root;
  const names = path.split('/');
  for (const [at, name] of names.entries()) {
    folders.get(folder)?.add(name);
    folder += `/${name}`;
    if (at < names.length - 1 && !folders.has(folder)) folders.set(folder, new Set());
  }
  files.set(folder, { bytes, inode: files.size + 1 });
}

/** What the store asks about a path. */
export function look(path: string) {
  const file = files.get(path);
  const isFolder = folders.has(path);
  if (file === undefined && !isFolder) return undefined;
  return {
    isFile: () => file !== undefined,
    isDirectory: () => isFolder,
    size: file?.bytes.length ?? 0,
    ino: file?.inode ?? 0,
    nlink: 1,
    mtimeMs: 0,
    ctimeMs: 0,
  };
}

/** Error: `ENOENT`. */
export function namesIn(path: string): string[] {
  const names = folders.get(path);
  if (names === undefined) throw failure('ENOENT', path);
  return [...names];
}

const open: string[] = [];

/** Error: `ENOENT`, `EROFS` unless it is only to be read. */
export function openFile(path: string, isToRead: boolean): number {
  if (!isToRead) throw failure('EROFS', path);
  if (!files.has(path)) throw failure('ENOENT', path);
  return open.push(path) - 1;
}

export function lookAtOpen(fd: number) {
  const found = look(open[fd] ?? '');
  if (found === undefined) throw failure('EBADF', String(fd));
  return found;
}

/** Copies bytes of an open file, as many as there are. */
export function readOpen(
  fd: number,
  target: Uint8Array,
  at: number,
  length: number,
  position: number,
): number {
  const { bytes } = files.get(open[fd] ?? '') ?? {};
  if (bytes === undefined) throw failure('EBADF', String(fd));
  const part = bytes.subarray(position, position + length);
  target.set(part, at);
  return part.length;
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
