/** Characters that stay what they are outside quotes. PowerShell knows a leading `@`. */
const plain = /^[\w./:+-][\w./@:+-]*$/;

/** What shells read inside double quotes; PowerShell also takes typographic quotes for quotes. */
const readInDoubleQuotes = /["“”„$`!]|\\(?:\\|$)/;

/**
 * Quotes text as one word for a shell: with double quotes, which bash, zsh, PowerShell and cmd read alike, unless it contains
 * what they read inside them.
 */
export function shellWord(text: string): string {
  if (plain.test(text)) return text;
  // Control characters are escaped in the form that bash and zsh read.
  if (/\p{Cc}/u.test(text)) return `$'${text.replace(/[\p{Cc}'\\]/gu, escaped)}'`;
  if (!readInDoubleQuotes.test(text)) return `"${text}"`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Quotes a path, or an id that begins with one, as one word that is not read as a flag. */
export function pathWord(path: string): string {
  return shellWord(path.startsWith('-') ? `./${path}` : path);
}

function escaped(character: string): string {
  if (character === "'" || character === '\\') return `\\${character}`;
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
