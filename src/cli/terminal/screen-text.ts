import { escapeTerminal } from './terminal-text.js';

/**
 * Escapes a document for a terminal, except its line breaks. With `inJson`, it uses JSON escapes, so that text
 * copied from the screen is still the same document.
 */
export async function* forScreen(
  pieces: AsyncIterable<string>,
  inJson: boolean,
): AsyncGenerator<string> {
  const escaped = inJson ? escapeJson : escapeTerminal;
  for await (const piece of pieces) {
    yield piece.replace(/[^\r\n\t]+|\r(?!\n)/g, (text) => escaped(text));
  }
}

function escapeJson(text: string): string {
  if (escapeTerminal(text) === text) return text;
  return [...text].map((one) => (escapeTerminal(one) === one ? one : unitEscapes(one))).join('');
}

function unitEscapes(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
