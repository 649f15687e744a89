import type { OpenedFrom } from './way-back.js';

/** A result to go to. */
export interface Step {
  readonly run: string;
  readonly index: number;
  /** Goes along, so that the way back stays the same. */
  readonly state: OpenedFrom | null;
}

/** Where a result stands among those that are walked through. */
export interface Steps {
  /** From 0; absent when the result is not among them. */
  readonly position: number | undefined;
  readonly count: number;
  readonly previous: Step | undefined;
  readonly next: Step | undefined;
  readonly isRead: boolean;
}
