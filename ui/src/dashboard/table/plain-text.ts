/** Most letters and lines of a value in the table. */
const mostLetters = 1500;
const mostLines = 20;

/** A value as text: strings as they are, small flat objects as lines of key and value, all else as JSON. */
export function plainText(value: unknown): { readonly text: string; readonly isCut: boolean } {
  const whole =
    typeof value === 'string' ? value : (flatText(value) ?? JSON.stringify(value, null, 2));
  const lines = whole.slice(0, mostLetters).split('\n');
  const text = lines.slice(0, mostLines).join('\n');
  return { text, isCut: text.length < whole.length };
}

function flatText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  const isFlat = entries.every(
    ([key, inner]) => key.length <= 14 && (typeof inner !== 'object' || inner === null),
  );
  if (!isFlat || entries.length === 0 || entries.length > 12) return undefined;
  const width = Math.max(...entries.map(([key]) => key.length)) + 2;
  return entries
    .map(([key, inner]) => {
      const [first = '', ...rest] = String(inner).split('\n');
      return [`${key.padEnd(width)}${first}`, ...rest.map((line) => ' '.repeat(width) + line)].join(
        '\n',
      );
    })
    .join('\n');
}
