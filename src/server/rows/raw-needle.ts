/** Result of searching a log line for a text; `maybe` if the line must be parsed. */
export type RawAnswer = 'no' | 'maybe' | 'yes';

/** Searched string fields by type of line. */
const textFields = { planned: ['function', 'input'], finished: ['output', 'error'] } as const;
export type RawLineType = keyof typeof textFields;

/**
 * Searches for a text in log lines without parsing them. It searches for a part of the text that JSON writes unescaped,
 * so a line without that part cannot contain the text.
 */
export class RawNeedle {
  readonly #part: string;
  /** The part is the whole text. */
  readonly #isWhole: boolean;
  /** The part may belong to a number, which JSON can write in several ways. */
  readonly #mayBeNumber: boolean;
  /** Bytes of capital letters whose lower case is ASCII. */
  readonly #oddLetters: readonly string[];

  private constructor(part: string, wanted: string) {
    this.#part = asRaw(Buffer.from(part));
    this.#isWhole = part === wanted;
    this.#mayBeNumber = numberLike.test(part);
    this.#oddLetters = [...oddLetters]
      .filter(([letter]) => part.includes(letter))
      .map(([, raw]) => raw);
  }

  /** For a text folded by `foldCase`; `undefined` if no part of it can be searched for. */
  static of(wanted: string): RawNeedle | undefined {
    const parts = plainParts(wanted).sort((a, b) => b.length - a.length);
    const part = parts.find((one) => !numberLike.test(one)) ?? parts[0];
    return part === undefined ? undefined : new RawNeedle(part, wanted);
  }

  /**
   * The answer for one or several lines in the form of `asRaw`. `type`: given for one line that alone determines the
   * fields of this type, so that `yes` is possible.
   */
  judge(line: string, type?: RawLineType): RawAnswer {
    const first = line.indexOf(this.#part);
    if (first === -1) return this.#isOdd(line) ? 'maybe' : 'no';
    if (type === undefined || !this.#isWhole) return 'maybe';
    return textFields[type].some((field) => this.#isInField(line, field)) ? 'yes' : 'maybe';
  }

  /** True when the line may contain the part in another spelling. */
  #isOdd(line: string): boolean {
    return (
      (line.includes('\\') && oddEscape.test(line)) ||
      this.#oddLetters.some((letter) => line.includes(letter)) ||
      (this.#mayBeNumber && structuredValue.test(line))
    );
  }

  /** True when the part is in a string field of the record itself, and no other field has its name. */
  #isInField(line: string, field: string): boolean {
    // Quotes in strings are escaped, so this is a key; without a brace before it, it belongs to the record.
    const key = `,"${field}":`;
    const at = line.indexOf(key);
    const start = at + key.length;
    if (at === -1 || line[start] !== '"' || line.lastIndexOf('{', at) !== 0) return false;
    const end = stringEnd(line, start + 1);
    if (end === -1 || line.includes(key, end)) return false;
    const part = this.#part;
    for (let hit = line.indexOf(part, start + 1); hit !== -1; hit = line.indexOf(part, hit + 1)) {
      if (hit + part.length > end) return false;
      // The first letter may belong to an escape.
      if (!escapeStart.test(line.slice(hit - longestStart, hit))) return true;
    }
    return false;
  }
}

/** Pieces of a text that lie within one JSON string, number or word, and that JSON never escapes. */
function plainParts(wanted: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (const character of wanted) {
    if (isPlain(character)) {
      part += character;
      continue;
    }
    if (part !== '') parts.push(part);
    part = '';
  }
  return part === '' ? parts : [...parts, part];
}

/** True for a lower-case character whose only other form, if any, is the ASCII capital. */
function isPlain(character: string): boolean {
  if (character < '\u0080') return !notPlain.test(character);
  return (
    character.toUpperCase() === character && character !== '\u0307' && !/\p{Cs}/u.test(character)
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them
const notPlain = /[\u0000-\u001f"\\{}[\]:,]/;
const numberLike = /^[\d.e+-]*$/;
/** Escapes that assay does not write. */
const oddEscape = /\\(?:\/|u(?!00(?:0[0-7bef]|1[\da-f]))[\da-f]{4})/;
/** An escape whose last letters follow. */
const escapeStart = /\\(?:u[\da-f]{0,3})?$/;
const longestStart = '\\u001'.length;
const structuredValue = /"(?:input|output|reference)":\s*[^"ntf\s]/;

/** Non-ASCII letters whose lower case is, or begins with, an ASCII letter. */
const oddLetters = new Map([
  ['k', asRaw(Buffer.from('\u212a'))],
  ['i', asRaw(Buffer.from('\u0130'))],
]);

/** UTF-8 bytes as characters, with ASCII letters in lower case. */
export function asRaw(bytes: Buffer): string {
  return bytes.toString('latin1').toLowerCase();
}

/** The position of the closing quote of the string that begins before `start`; −1 if there is none. */
function stringEnd(line: string, start: number): number {
  for (let at = line.indexOf('"', start); at !== -1; at = line.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (line[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}
