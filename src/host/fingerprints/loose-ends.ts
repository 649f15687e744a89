import { resolve } from 'node:path';
import { isInside } from '../../text/file-path.js';
import type { Attempt } from '../attempt/attempt.js';
import type { ImportedCase } from '../imported-evaluations.js';

/** What no fingerprint follows, and evaluations were seen to do. */
export interface LooseEnd {
  /** Why no result may be carried over: `starts a process`. */
  readonly hazard: string | undefined;
  /** Grading may depend on more than what is stored. */
  readonly isOpen: boolean;
}

export interface LooseEndsOptions {
  /** The attempt that the running code belongs to, if it is one, and whether its target has ended. */
  readonly current: () => { readonly attempt: Attempt; readonly isGrading: boolean } | undefined;
  /** The folder of recordings, which assay itself reads and writes while evaluations run. */
  readonly recordings: () => string | undefined;
  /** The eval file that is being imported. */
  readonly importing: () => string | undefined;
  readonly entryOf: (id: string) => ImportedCase | undefined;
  /** True if two eval files have imported the same project module. */
  readonly shareModule: (file: string, other: string) => boolean;
}

/**
 * Notes what no fingerprint follows. It counts for all later results of the evaluation, which may remember it; at import,
 * for all evaluations of the files that share a module.
 */
export class LooseEnds {
  readonly #options: LooseEndsOptions;
  /** By evaluation. */
  readonly #hazards = new Map<string, string>();
  /** By name of the eval file that was imported. */
  readonly #atImport = new Map<string, string>();
  readonly #open = new Set<string>();

  constructor(options: LooseEndsOptions) {
    this.#options = options;
  }

  /** Something is started whose files are not followed. */
  noteHazard(hazard: string): void {
    const evaluation = this.#evaluation();
    const file = this.#options.importing();
    if (evaluation !== undefined) this.#hazards.set(evaluation, hazard);
    else if (file !== undefined) this.#atImport.set(file, hazard);
  }

  /** A path is looked at or written: by grading, it may be one that the target has left behind. */
  noteLook(path: string): void {
    if (this.#options.current()?.isGrading !== true) return;
    const recordings = this.#options.recordings();
    if (recordings === undefined || !isInside(recordings, resolve(path))) this.noteLeft();
  }

  /** Code has left, or seen, something that is not stored. */
  noteLeft(): void {
    const evaluation = this.#evaluation();
    if (evaluation !== undefined) this.#open.add(evaluation);
  }

  of({ file, descriptor: { evaluation }, place }: ImportedCase): LooseEnd {
    const hazard = this.#hazards.get(evaluation) ?? this.#hazardOfFile(file);
    const isOpen = hazard !== undefined || this.#open.has(evaluation);
    return { hazard: place.hasInputs === true ? undefined : hazard, isOpen };
  }

  #hazardOfFile(file: string): string | undefined {
    for (const [other, hazard] of this.#atImport) {
      if (this.#options.shareModule(file, other)) return hazard;
    }
    return undefined;
  }

  #evaluation(): string | undefined {
    const id = this.#options.current()?.attempt.task.id;
    return id === undefined ? undefined : this.#options.entryOf(id)?.descriptor.evaluation;
  }
}
