import { AssayError, type ErrorCode, hasSystemCode, shortageOf } from '../../errors.js';
import { ProblemError } from './problem.js';

/** The HTTP status for each error code. */
const statusOf: Readonly<Record<ErrorCode, number>> = {
  'ambiguous-run': 400,
  'bad-request': 400,
  'bad-settings': 400,
  'discovery-failed': 400,
  'no-such-path': 400,
  'nothing-selected': 400,
  usage: 400,
  'no-such-result': 404,
  'no-such-run': 404,
  'no-such-session': 404,
  busy: 409,
  'newer-format': 409,
  'not-in-progress': 409,
  'not-started': 409,
  stopped: 409,
  'view-only': 409,
  'host-failed': 500,
  'port-in-use': 500,
  'redis-unavailable': 503,
  'storage-unusable': 500,
  'unreadable-run': 404,
  'storage-full': 507,
};

/** The refusal for a known error; `undefined` for a bug, which is not disclosed. */
export function refusalOf(error: unknown): ProblemError | undefined {
  if (error instanceof ProblemError) return error;
  const shortage = shortageOf(error);
  if (shortage !== undefined) {
    const what = `${shortage.charAt(0).toUpperCase()}${shortage.slice(1)}`;
    return new ProblemError(503, `${what}; try again in a few seconds.`, {
      headers: { 'Retry-After': '5' },
    });
  }
  if (error instanceof AssayError) {
    const { code, inProgress } = error;
    return new ProblemError(statusOf[code], error.inOneLine, { inProgress });
  }
  if (hasSystemCode(error, 'ENOSPC', 'EDQUOT')) {
    return new ProblemError(507, 'The disk is full; make room and try again.');
  }
  return undefined;
}

/** The refusal for a bug. */
export function bugRefusal(): ProblemError {
  return new ProblemError(
    500,
    'Internal error; the terminal of the server shows the details. It is safe to try again.',
  );
}
