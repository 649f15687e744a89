/** Quotes text as one word for a shell. */
export function shellWord(text: string): string {
  if (/^[\w./@:+-]+$/.test(text)) return text;
  // Control characters are escaped in the form that bash and zsh read.
  if (/\p{Cc}/u.test(text)) return `$'${text.replace(/[\p{Cc}'\\]/gu, escaped)}'`;
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
