import { AssayError } from '../../errors.js';

/** Remembers what the last discovery could not find or import, whichever run it was for. */
export class LastDiscovery {
  #problem: AssayError | undefined;

  /** `undefined` after a discovery without errors. */
  get problem(): AssayError | undefined {
    return this.#problem;
  }

  /** What a discovery that has ended could not find or import. */
  note(problem: AssayError | undefined): void {
    this.#problem = problem;
  }

  /** Does something that discovers evals and notes how that fails. */
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
