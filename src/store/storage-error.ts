import { AssayError, hasSystemCode } from '../errors.js';

/** Converts a system error in the results directory to a known error with the place; other errors stay unchanged. */
export function toStorageError(error: unknown, place: string): unknown {
  if (error instanceof AssayError || !(error instanceof Error) || !('code' in error)) return error;
  if (hasSystemCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG')) {
    return new AssayError('storage-full', `There is no room left to write to ${place}.`, {
      cause: error,
      hints: ['Make room on that disk, then try again; a run that was in progress can be resumed.'],
    });
  }
  return new AssayError('storage-unusable', `Cannot use ${place}: ${reason(error)}.`, {
    cause: error,
    hints: ['Check that the results directory exists and that you may write to it.'],
  });
}

/** The error for a log whose folder was removed while it was in use. */
export function removedError(folder: string): AssayError {
  return new AssayError('storage-unusable', `The run folder ${folder} was removed while in use.`);
}

function reason(error: Error): string {
  if (hasSystemCode(error, 'EACCES', 'EPERM')) return 'permission denied';
  if (hasSystemCode(error, 'EROFS')) return 'the file system is read-only';
  if (hasSystemCode(error, 'ENOTDIR')) return 'a part of the path is not a folder';
  if (hasSystemCode(error, 'EISDIR')) return 'there is a folder in the place of a file';
  if (hasSystemCode(error, 'ENOENT')) return 'it does not exist';
  if (hasSystemCode(error, 'ELOOP')) return 'a part of the path is a link that leads in a circle';
  if (hasSystemCode(error, 'ENAMETOOLONG')) return 'a part of the path is too long';
  if (hasSystemCode(error, 'EMFILE', 'ENFILE')) return 'too many files are open';
  return error.message;
}
