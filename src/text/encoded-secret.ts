/** Levels of JSON strings within JSON strings to search; each level doubles the backslashes. */
const jsonLevels = [1, 2] as const;

/** A search in two parts: Node takes a tenth of a second to compile the whole pattern of a secret of 170 characters. */
export interface SecretPattern {
  /** The places before its first characters. */
  readonly beginning: RegExp;
  /** All of it, where the beginning is. */
  readonly whole: RegExp;
}

/** Searches for encoded forms of a secret. */
export interface EncodedSecret {
  /** Percent-encoded, form-encoded or HTML-encoded, in any mixture. Only in text that contains `%`, `&` or `+`. */
  readonly escaped: SecretPattern;
  /** The same within JSON strings, of one and of two levels. Only in text that contains a backslash. */
  readonly inJson: readonly SecretPattern[];
  /** The Base64 forms at every offset, without the characters that depend on the surrounding text. */
  readonly base64: readonly string[];
}

/** Prepares the search for a secret in its encoded forms. */
export function encodedSecret(value: string): EncodedSecret {
  return {
    escaped: patternOf(value, 0),
    inJson: jsonLevels.map((level) => patternOf(value, level)),
    base64: base64Of(value),
  };
}

/** Few texts hold as many characters of a secret, in any form, without the rest. */
const beginningLength = 5;

function patternOf(value: string, level: number): SecretPattern {
  const characters = [...value].map((character) => oneOf(formsOf(character, level)));
  return {
    beginning: new RegExp(`(?=${characters.slice(0, beginningLength).join('')})`, 'g'),
    whole: new RegExp(characters.join(''), 'y'),
  };
}

function oneOf(forms: readonly string[]): string {
  return `(?:${forms.join('|')})`;
}

const letters: Readonly<Record<string, string>> = {
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\b': 'b',
  '\f': 'f',
};
const entities: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/**
 * Patterns of one character within `level` JSON strings. They are mutually exclusive, so there is no backtracking.
 * Node compiles `*` in a fraction of the time that `{0,2}` takes; each starts behind a character of its own, so that no
 * text is read again and again.
 */
function formsOf(character: string, level: number): string[] {
  const code = character.codePointAt(0) ?? 0;
  const entity = entities[character];
  const named = entity === undefined ? '' : `|${entity}`;
  const forms = [
    [...Buffer.from(character)].map((byte) => `%(?:25)*${hex(byte, 2)}`).join(''),
    `&(?:amp;)*(?:#0*${code}|#[xX]0*${hex(code, 1)}${named});`,
    ...(character === ' ' ? [String.raw`\+`] : []),
  ];
  if (level === 0) return [...forms, literal(character)];
  // Letter escapes have half as many backslashes as quotes, which the next level escapes too.
  const most = 2 ** (level - 1);
  const units = Array.from(
    { length: character.length },
    (_, at) => `u${hex(character.charCodeAt(at), 4)}`,
  );
  const escapes = code < 256 ? [`(?:${units[0]}|x${hex(code, 2)})`] : units;
  const letter = letters[character];
  return [
    ...forms,
    escapes.map((one) => `\\\\{1,${most}}${one}`).join(''),
    ...(letter === undefined ? [] : [`\\\\{${most}}${letter}`]),
    ...(character === '\\' ? [String.raw`\\{${2 ** level}}`] : [optional(character, level)]),
    ...(entity === undefined ? [] : [`\\\\{1,${2 ** level - 1}}&(?:amp;)*${entity};`]),
  ];
}

/** A backslash changes the meaning of letters and digits. */
function optional(character: string, level: number): string {
  return /[a-z0-9]/i.test(character) ? character : `\\\\{0,${2 ** level - 1}}${literal(character)}`;
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`);
}

function hex(number: number, digits: number): string {
  const text = number.toString(16).padStart(digits, '0');
  return text.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function base64Of(value: string): string[] {
  const bytes = Buffer.from(value);
  const found = new Set<string>();
  for (const before of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    for (const alphabet of ['base64', 'base64url'] as const) {
      const from = Math.ceil((before * 8) / 6);
      const to = Math.floor((shifted.length * 8) / 6);
      found.add(shifted.toString(alphabet).slice(from, to));
    }
  }
  return [...found];
}
