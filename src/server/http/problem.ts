import { STATUS_CODES } from 'node:http';
import type { RunInProgress } from '../../errors.js';

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
