/** Stable names of the errors a user can meet; scripts may rely on them. */
export type ErrorCode =
  | 'bad-request'
  | 'bad-settings'
  | 'busy'
  | 'discovery-failed'
  | 'host-failed'
  | 'no-such-path'
  | 'no-such-result'
  | 'no-such-run'
  | 'no-such-session'
  | 'ambiguous-run'
  | 'newer-format'
  | 'no-output'
  | 'not-in-progress'
  | 'not-started'
  | 'nothing-selected'
  | 'port-in-use'
  | 'redis-unavailable'
  | 'stopped'
  | 'storage-full'
  | 'storage-unusable'
  | 'unreadable-run'
  | 'usage'
  | 'view-only';

/** A run that is in progress: plain JSON. */
export interface RunInProgress {
  readonly run_id: string;
  readonly run_name: string;
  /** Of the results that the execution was asked to run. */
  readonly progress: { readonly finished: number; readonly total: number };
  /** The process that executes it, when that is another one. */
  readonly pid?: number;
}

/**
 * Something the user can fix. Everything else that is thrown is a bug and keeps its stack.
 * How it becomes an exit code or an HTTP status is decided by the command line and the server.
 */
export class AssayError extends Error {
  readonly code: ErrorCode;
  /** Further lines for the user: suggestions and candidates. */
  readonly hints: readonly string[];
  /** The run that must end first. */
  readonly inProgress: RunInProgress | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      readonly cause?: unknown;
      readonly hints?: readonly string[];
      readonly inProgress?: RunInProgress | undefined;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AssayError';
    this.code = code;
    this.hints = options.hints ?? [];
    this.inProgress = options.inProgress;
  }

  /** The message with its hints, as sentences. */
  get inOneLine(): string {
    return [this.message, ...this.hints]
      .map((text) => (/[.!?]$/.test(text) ? text : `${text}.`))
      .join(' ');
  }
}

/**
 * The exhausted resource of the system (files, processes, memory) that caused an error; `undefined` for other errors.
 * Retrying may help, because other processes may release it.
 */
export function shortageOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  if ([error, cause].some((one) => hasSystemCode(one, 'EMFILE', 'ENFILE'))) {
    return 'too many files are open';
  }
  if ([error, cause].some((one) => hasSystemCode(one, 'EAGAIN'))) {
    return 'too many processes are running';
  }
  return [error, cause].some((one) => hasSystemCode(one, 'ENOMEM'))
    ? 'there is no memory left'
    : undefined;
}

/** True for errors that carry a system code such as `ENOENT`. */
export function hasSystemCode(error: unknown, ...codes: readonly string[]): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    codes.includes(error.code)
  );
}
