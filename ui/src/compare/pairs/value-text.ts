/** A value as text to read and compare: strings as they are, anything else as JSON over several lines. */
export function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
