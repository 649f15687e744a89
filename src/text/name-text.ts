const longest = 160;

/**
 * What a user has named, as messages show it: as it is, or in quotes when it is empty, has blanks at its ends or
 * would break the line. Long text is cut.
 */
export function nameText(text: string): string {
  const isPlain = text !== '' && text === text.trim() && !/[\p{Cc}\u2028\u2029]/u.test(text);
  return isPlain ? cut(text) : quotedName(text);
}

/** The same, always in quotes. */
export function quotedName(text: string): string {
  return JSON.stringify(cut(text));
}

function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`;
}
