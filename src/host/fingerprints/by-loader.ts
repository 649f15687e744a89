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
  return (
    caller.startsWith('node:internal/modules/') ||
    (caller.startsWith(bundle) && caller.endsWith('.cjs'))
  );
}

/** The file that has called the patched function; patches are in the same file as this. */
function callerFile(): string {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 16;
    Error.prepareStackTrace = (_, sites) => sites;
    const sites = new Error().stack as unknown as readonly NodeJS.CallSite[];
    // Functions of `fs` call each other, patched as they are: without an encoding, `readFileSync` opens the file.
    const between = [sites[0]?.getFileName(), 'node:fs'];
    return fileOf(sites.find((site) => !between.includes(site.getFileName())));
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}

/** Modules have a URL, CommonJS has a path. */
function fileOf(site: NodeJS.CallSite | undefined): string {
  const file = site?.getFileName() ?? '';
  return file.startsWith('file:') ? fileURLToPath(file) : file;
}
