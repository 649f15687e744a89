import { AssayError } from '../errors.js';

/** A position in a settings file; line and column count from 1. */
export interface SettingsPlace {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** Settings that cannot be used, with the position to fix. */
export class SettingsError extends AssayError {
  readonly place: SettingsPlace | undefined;
  /** The message without the place. */
  readonly detail: string;

  constructor(
    message: string,
    options: {
      readonly place?: SettingsPlace;
      readonly hints?: readonly string[];
      readonly cause?: unknown;
    } = {},
  ) {
    const { place, ...rest } = options;
    super('bad-settings', place ? `${placeText(place)}: ${message}` : message, rest);
    this.name = 'SettingsError';
    this.place = place;
    this.detail = message;
  }
}

/** `file:line:column`, which editors and terminals turn into a link. */
export function placeText(place: SettingsPlace): string {
  return [place.file, place.line, place.column].filter((part) => part !== undefined).join(':');
}

/** A value for a message: JSON, cut to 60 characters. */
export function valueText(value: unknown): string {
  const text = plainText(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function plainText(value: unknown): string {
  try {
    return (typeof value === 'number' ? String(value) : JSON.stringify(value)) ?? 'nothing';
  } catch {
    return 'a value that contains itself';
  }
}

/** The last hint of every error in a settings file. */
export const leftAlone = 'Fix the file by hand; it was not changed.';

/** An invalid value in a settings file. */
export interface Fault {
  readonly path: ValuePath;
  /** The fault: the text between the key and its value, or the rest of the sentence. */
  readonly text: string;
  readonly isAboutKey?: true;
}

/** The path of a value in a document: keys from the outside in. */
export type ValuePath = readonly PropertyKey[];
