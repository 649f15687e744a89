import { isObject } from '../json.js';

/** A path that code looked at: at its content, at the names in it, or at whether it exists. */
export interface LookedAt {
  readonly kind: 'file' | 'folder' | 'exists';
  /** Relative to the working directory, with `/`. */
  readonly name: string;
}

/** True for {@link LookedAt}, also with other fields. */
export function isLookedAt(value: unknown): value is LookedAt {
  if (!isObject(value) || typeof value.name !== 'string') return false;
  return value.kind === 'file' || value.kind === 'folder' || value.kind === 'exists';
}
