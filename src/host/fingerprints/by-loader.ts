import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the running code. In it, the files of the loader and of the host are CommonJS. */
const bundle = dirname(fileURLToPath(import.meta.url)) + sep;

/**
 * True if a patched function was called by the module loader, that of Node or that of assay: what it reads counts as
 * code.
 */
export function isByLoader(): boolean {
  const caller = callerFile();
  const isOfBundle = caller.startsWith(bundle) && caller.endsWith('.cjs');
  return isOfBundle || caller.startsWith('node:internal/modules/');
}

/** True if a patched function was called by code of the project: not by a package, by Node or by assay. */
export function isByProject(): boolean {
  const caller = callerFile();
  const isOfBundle = caller.replace(/^file:\/\//, '').startsWith(bundle);
  return !isOfBundle && !/^node:|[\\/]node_modules[\\/]/.test(caller);
}

/** The file that has called the patched function, as a path or a URL; patches are in the same file as this. */
function callerFile(): string {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 16;
    Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? '');
    const [own = '', ...files] = new Error().stack as unknown as readonly string[];
    // Functions of `fs` call each other, patched as they are: without an encoding, `readFileSync` opens the file.
    return files.find((file) => file !== own && file !== 'node:fs') ?? '';
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}
