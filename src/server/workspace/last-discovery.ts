import { AssayError } from '../../errors.js';

/** Remembers the problem of the last discovery, for any run. */
export class LastDiscovery {
  #problem: AssayError | undefined;

  /** `undefined` after a discovery without errors. */
  get problem(): AssayError | undefined {
    return this.#problem;
  }

  /** Records the outcome of a discovery. */
  note(problem: AssayError | undefined): void {
    this.#problem = problem;
  }

  /** Records the outcome of an action that discovers evals: the error that it ended with, if any. */
  noteEnd(error: AssayError | undefined): void {
    this.note(isDiscoveryError(error) ? error : undefined);
  }

  /** Runs an action that discovers evals, and records its discovery errors. */
  async during<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (isDiscoveryError(error)) this.note(error);
      throw error;
    }
  }
}

/** True when evals could not be found or imported. */
function isDiscoveryError(error: unknown): error is AssayError {
  if (!(error instanceof AssayError)) return false;
  if (error.code === 'view-only') return isDiscoveryError(error.cause);
  return ['discovery-failed', 'no-such-path', 'nothing-selected'].includes(error.code);
}
