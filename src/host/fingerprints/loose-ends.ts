import { resolve } from 'node:path';
import { isInside } from '../../text/file-path.js';
import type { ImportedCase } from '../imported-evaluations.js';

/** What no fingerprint follows, and evaluations were seen to do. */
export interface LooseEnd {
  /** Why no result may be carried over: `starts a process`. */
  readonly hazard: string | undefined;
  /** Grading may depend on more than what is stored. */
  readonly isOpen: boolean;
}

export interface LooseEndsOptions {
  /** The evaluation that the running code belongs to, by its id, or the eval file that is being imported. */
  readonly running: () => { readonly name: string | undefined; readonly isGrading: boolean };
  /** The folder of recordings, which assay itself reads and writes while evaluations run. */
  readonly recordings: () => string | undefined;
  /** True if two eval files have imported the same project module. */
  readonly shareModule: (file: string, other: string) => boolean;
}

/**
 * Notices what no fingerprint follows. It counts for all later results of the evaluation, which may remember it; at import,
 * for all evaluations of the files that share a module.
 */
export class LooseEnds {
  readonly #options: LooseEndsOptions;
  /** By evaluation, or by eval file. */
  readonly #hazards = new Map<string, string>();
  readonly #open = new Set<string>();

  constructor(options: LooseEndsOptions) {
    this.#options = options;
  }

  /** Something is started whose files are not followed. */
  noteHazard(hazard: string): void {
    const { name } = this.#options.running();
    if (name !== undefined) this.#hazards.set(name, hazard);
  }

  /** A path is looked at or written: by grading, it may be one that the target has left behind. */
  noteLook(path: string): void {
    if (!this.#options.running().isGrading) return;
    const recordings = this.#options.recordings();
    if (recordings === undefined || !isInside(recordings, resolve(path))) this.noteLeft();
  }

  /** Code has left, or seen, something that is not stored. */
  noteLeft(): void {
    const { name } = this.#options.running();
    if (name !== undefined) this.#open.add(name);
  }

  of({ file, descriptor: { evaluation }, place }: ImportedCase): LooseEnd {
    const counts = (name: string) => name === evaluation || this.#options.shareModule(file, name);
    const [, hazard] = [...this.#hazards].find(([name]) => counts(name)) ?? [];
    const isOpen = hazard !== undefined || this.#open.has(evaluation);
    return { hazard: place.hasInputs === true ? undefined : hazard, isOpen };
  }
}
