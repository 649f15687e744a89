import type { Problem } from './schema.js';

/** A request the server refused, with the problem document it answered. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  /** One sentence a user can act on. */
  readonly detail: string;
  /** What does not fit, by JSON pointer into the body. */
  readonly errors: NonNullable<Problem['errors']>;

  constructor(problem: Pick<Problem, 'status' | 'detail' | 'errors'>) {
    super(problem.detail);
    this.status = problem.status;
    this.detail = problem.detail;
    this.errors = problem.errors ?? [];
  }
}

/** The server did not answer at all. */
export class ServerGone extends Error {
  override readonly name = 'ServerGone';

  constructor(options?: ErrorOptions) {
    super('The server does not answer. It may have been stopped.', options);
  }
}

/** Reads the problem document of a refused request, or makes one of the status. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const { status } = response;
  const detail = `The server answered ${status} ${response.statusText}`.trim();
  try {
    const problem = (await response.json()) as Partial<Problem>;
    return new ApiProblem({ detail, ...problem, status });
  } catch {
    return new ApiProblem({ status, detail });
  }
}

/** What to tell the reader about an error, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** True for 404 answers. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 404;
}

/** Whether the server found that somebody else has made a change since. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 412;
}
