import type { Problem } from './schema.js';

/** A refused request, with the problem document of the server. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  /** One sentence: what the user can do. */
  readonly detail: string;
  /** Invalid values, by JSON pointer into the body. */
  readonly errors: NonNullable<Problem['errors']>;

  constructor(problem: Pick<Problem, 'status' | 'detail' | 'errors'>) {
    super(problem.detail);
    this.status = problem.status;
    this.detail = problem.detail;
    this.errors = problem.errors ?? [];
  }
}

/** The server did not answer. */
export class ServerGone extends Error {
  override readonly name = 'ServerGone';

  constructor(options?: ErrorOptions) {
    super('The server does not answer. It may have been stopped.', options);
  }
}

/** Reads the problem document of a refused request, or creates one from the status. */
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

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** True for 404 answers. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 404;
}

/** True when the resource was changed elsewhere since. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 412;
}
