/** Text as one word that can be pasted into a shell. */
export function shellWord(text: string): string {
  if (/^[\w./@:+-]+$/.test(text)) return text;
  // What would break the line, or not be seen, is spelled out as bash and zsh read it.
  if (/\p{Cc}/u.test(text)) return `$'${text.replace(/[\p{Cc}'\\]/gu, escaped)}'`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function escaped(character: string): string {
  if (character === "'" || character === '\\') return `\\${character}`;
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
