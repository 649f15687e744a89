/** The message of an error with that of its cause: fetch says only `fetch failed`. */
export function errorLine(error: unknown): string {
  const texts: string[] = [];
  for (let at = error; at instanceof Error && texts.length < 3; at = at.cause) {
    texts.push(at.message === '' ? at.name : at.message);
  }
  const text = texts.length === 0 ? String(error) : texts.join(': ');
  // Errors quote addresses with the password in them.
  return text
    .replace(/\s+/g, ' ')
    .replace(/:\/\/[^/ ]*@/g, '://')
    .slice(0, 500);
}
