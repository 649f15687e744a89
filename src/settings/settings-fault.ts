import type { ValuePath } from './read-yaml.js';

/** An invalid value in a settings file. */
export interface Fault {
  readonly path: ValuePath;
  /** The fault: the text between the key and its value, or the rest of the sentence. */
  readonly text: string;
  readonly isAboutKey?: true;
}
