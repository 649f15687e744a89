import { type Fitting, isText, object, oneOf } from '../shapes.js';

/** True for {@link LookedAt}, also with other fields. */
export const isLookedAt = object({
  kind: oneOf('file', 'folder', 'exists'),
  /** Relative to the working directory, with `/`. */
  name: isText,
});

/** A path that code looked at: at its content, at the names in it, or at whether it exists. */
export interface LookedAt extends Fitting<typeof isLookedAt> {}
