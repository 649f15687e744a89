const longest = 160;

/**
 * A user-defined name for messages: in quotes when it is empty, begins or ends with a blank, or would break the
 * line. Long text is cut.
 */
export function nameText(text: string): string {
  const isPlain = text !== '' && text === text.trim() && !/[\p{Cc}\u2028\u2029]/u.test(text);
  return isPlain ? cut(text) : quotedName(text);
}

/** `nameText`, always in quotes. */
export function quotedName(text: string): string {
  return JSON.stringify(cut(text));
}

function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`;
}
