/** Longest name of an evaluation and longest id of a case. */
const maxNameLength = 200;

// Control characters, line and paragraph separators, halves of surrogate pairs.
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** True for 1 to 200 printable characters that are not all blank. */
export function isPrintableName(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    value.length <= maxNameLength &&
    !unprintable.test(value)
  );
}
