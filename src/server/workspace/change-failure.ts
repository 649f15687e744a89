import { AssayError } from '../../errors.js';

/** True for what goes wrong with files that are gone, closed or unreadable at this moment, and is no bug. */
export function isPassing(error: unknown): boolean {
  if (error instanceof AssayError) return true;
  return error instanceof Error && 'syscall' in error;
}
