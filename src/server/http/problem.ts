import { STATUS_CODES } from 'node:http';
import {
  AssayError,
  type ErrorCode,
  hasSystemCode,
  type RunInProgress,
  shortageOf,
} from '../../errors.js';

/** One invalid value of a request. */
export interface InvalidValue {
  /** JSON Pointer into the body, or into an object of the parameters. */
  readonly pointer: string;
  readonly detail: string;
}

/** A problem document, RFC 9457. */
export interface Problem extends Partial<RunInProgress> {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly InvalidValue[];
}

/** Refuses a request with this status. */
export class ProblemError extends Error {
  readonly status: number;
  /** One sentence: what the user can do. */
  readonly detail: string;
  readonly errors: readonly InvalidValue[];
  readonly headers: Readonly<Record<string, string>>;
  readonly inProgress: RunInProgress | undefined;

  constructor(
    status: number,
    detail: string,
    options: {
      readonly errors?: readonly InvalidValue[];
      readonly headers?: Readonly<Record<string, string>>;
      readonly inProgress?: RunInProgress | undefined;
    } = {},
  ) {
    super(detail);
    this.name = 'ProblemError';
    this.status = status;
    this.detail = detail;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
    this.inProgress = options.inProgress;
  }
}

/** Redacts secrets, because the message may quote a request or a settings file. */
export function cleanProblem(
  problem: ProblemError,
  redact: (text: string) => string,
): ProblemError {
  const { status, detail, headers, inProgress } = problem;
  const errors = problem.errors.map((one) => ({ ...one, detail: redact(one.detail) }));
  return new ProblemError(status, redact(detail), {
    headers,
    errors,
    ...(inProgress && {
      inProgress: { ...inProgress, run_name: redact(inProgress.run_name) },
    }),
  });
}

/** The document for a refused request. */
export function problemDocument({ status, detail, errors, inProgress }: ProblemError): Problem {
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    ...inProgress,
    ...(errors.length === 0 ? {} : { errors }),
  };
}

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
  'no-output': 409,
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
