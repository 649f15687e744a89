const strings = /"(?:[^"\\]|\\.)*"/g;
const numbers = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;

/** True for JSON with a number that is another one once it is read: of too many digits, or too large. */
export function hasInexactNumber(json: string): boolean {
  return (json.replaceAll(strings, '').match(numbers) ?? []).some((text) => !isExact(text));
}

/** True for the text of a decimal number that JavaScript writes back as the same number. */
export function isExact(text: string): boolean {
  return decimalOf(text) === decimalOf(String(Number(text)));
}

/** The same text for the same number: `1e3`, `1000` and `1000.0`. */
function decimalOf(text: string): string {
  const [, sign, whole = '', part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (whole !== '' && kept === '') return '0';
  return `${sign}${kept}e${Number(power) - part.length + digits.length - kept.length}`;
}
