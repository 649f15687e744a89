import { AssayError } from '../../errors.js';
import type { StoredRun } from '../../store/stored-run.js';

/** Remembers for each run what its last discovery could not find or import. */
export class DiscoveryNotes {
  readonly #problems = new Map<string, AssayError>();

  /** Why evals of a run could not be found or imported. */
  of({ runId }: StoredRun): AssayError | undefined {
    return this.#problems.get(runId);
  }

  /** What a discovery that has ended could not find or import. */
  note(runId: string, problem: AssayError | undefined): void {
    if (problem === undefined) this.#problems.delete(runId);
    else this.#problems.set(runId, problem);
  }

  /** Does something that discovers evals; when that fails, the run it was done for says why. */
  async during<T>(runId: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (isDiscoveryError(error)) this.note(runId, error);
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
