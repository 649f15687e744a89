import { temporaryPath } from '../../src/files/temporary-files.js';

/** Above the largest id that systems give to processes. */
export const deadPid = 4_194_305;

/** A temporary file beside `path` of a process that has ended. */
export function deadTemporary(path: string): string {
  return temporaryPath(path).replace(`-${process.pid}-`, `-${deadPid}-`);
}
