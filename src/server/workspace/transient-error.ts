import { AssayError } from '../../errors.js';

/** True for an error of a file that is currently missing, closed or unreadable, which is not a bug. */
export function isTransient(error: unknown): boolean {
  if (error instanceof AssayError) return true;
  return error instanceof Error && 'syscall' in error;
}
