import { AssayError } from '../errors.js';

/** Parses the value of a whole-number flag; both limits are inclusive. Error: `usage`. */
export function parseWholeNumber(
  name: string,
  { min, max }: { readonly min: number; readonly max?: number | undefined },
): (text: string) => Promise<number> {
  const range = max === undefined ? `from ${min}` : `from ${min} to ${max}`;
  return async (text) => {
    const value = Number(text);
    const isInRange = value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER);
    if (/^\d+$/.test(text) && isInRange) return value;
    throw new AssayError(
      'usage',
      `--${name} takes a whole number ${range}, not ${JSON.stringify(text)}.`,
    );
  };
}
