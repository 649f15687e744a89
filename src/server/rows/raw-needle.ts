/** Whether a line of the log holds a text: `maybe` when only parsing it can tell. */
export type RawAnswer = 'no' | 'maybe' | 'yes';

/** Fields of a line whose text counts if it is a string, by type of line. */
const textFields = { planned: ['function', 'input'], finished: ['output', 'error'] } as const;
export type RawLineType = keyof typeof textFields;

/**
 * Looks for a text in lines of the log as they are, without parsing them. It looks for a part of the text that JSON
 * writes as it reads, so a line without that part cannot hold the text.
 */
export class RawNeedle {
  readonly #part: string;
  /** The part is the whole text. */
  readonly #isWhole: boolean;
  /** The part may be a piece of a number, which JSON can write in several ways. */
  readonly #mayBeNumber: boolean;
  /** What large forms of letters look like that become ASCII in lower case. */
  readonly #oddLetters: readonly string[];

  private constructor(part: string, wanted: string) {
    this.#part = asRaw(Buffer.from(part));
    this.#isWhole = part === wanted;
    this.#mayBeNumber = numberLike.test(part);
    this.#oddLetters = [...oddLetters]
      .filter(([letter]) => part.includes(letter))
      .map(([, raw]) => raw);
  }

  /** For a text in the form `foldCase` gives; `undefined` when it has no part that can be looked for. */
  static of(wanted: string): RawNeedle | undefined {
    const parts = plainParts(wanted).sort((a, b) => b.length - a.length);
    const part = parts.find((one) => !numberLike.test(one)) ?? parts[0];
    return part === undefined ? undefined : new RawNeedle(part, wanted);
  }

  /**
   * What a line tells, or several, in the form of `asRaw`. `type`: it is one line that alone decides the fields of this
   * type, so that `yes` is possible.
   */
  judge(line: string, type?: RawLineType): RawAnswer {
    const first = line.indexOf(this.#part);
    if (first === -1) return this.#isOdd(line) ? 'maybe' : 'no';
    if (type === undefined || !this.#isWhole) return 'maybe';
    return textFields[type].some((field) => this.#isInField(line, field)) ? 'yes' : 'maybe';
  }

  /** True when the line may hold the part in another spelling. */
  #isOdd(line: string): boolean {
    return (
      (line.includes('\\') && oddEscape.test(line)) ||
      this.#oddLetters.some((letter) => line.includes(letter)) ||
      (this.#mayBeNumber && structuredValue.test(line))
    );
  }

  /** True when the part is in a field of the record itself that is a string, and no other field has its name. */
  #isInField(line: string, field: string): boolean {
    // Quotes inside of strings are escaped, so this is a key; without a brace before it, one of the record.
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
      if (line[hit - 1] !== '\\') return true;
    }
    return false;
  }
}

/** Pieces of a text that stand inside of one JSON string, number or word, and that JSON always writes as they read. */
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

/** True for a character in lower case whose only other form, if any, is the ASCII capital. */
function isPlain(character: string): boolean {
  if (character < '\u0080') return !notPlain.test(character);
  return (
    character.toUpperCase() === character && character !== '\u0307' && !/\p{Cs}/u.test(character)
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them
const notPlain = /[\u0000-\u001f"\\{}[\]:,]/;
const numberLike = /^[\d.e+-]*$/;
/** Escapes that this program does not write. */
const oddEscape = /\\(?:\/|u(?!00(?:0[0-7bef]|1[\da-f]))[\da-f]{4})/;
const structuredValue = /"(?:input|output|reference)":\s*[^"ntf\s]/;

/** Letters beside the ASCII capitals that are ASCII in lower case, or begin with it. */
const oddLetters = new Map([
  ['k', asRaw(Buffer.from('\u212a'))],
  ['i', asRaw(Buffer.from('\u0130'))],
]);

/** Bytes of UTF-8, a character each, in lower case as far as that goes. */
export function asRaw(bytes: Buffer): string {
  return bytes.toString('latin1').toLowerCase();
}

/** Where the string that begins before `start` has its closing quote; −1 when it has none. */
function stringEnd(line: string, start: number): number {
  for (let at = line.indexOf('"', start); at !== -1; at = line.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (line[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}
