import { existsSync } from 'node:fs';
import { escapeCommands } from '../../text/ci-commands.js';
import { escapeHidden } from '../../text/hidden-characters.js';
import { createRedactor } from '../../text/redact.js';
import { escapeTerminal } from './terminal-text.js';

/**
 * A part of a document, as it may go to stdout. JSON stays the same document, and is inert for CI services, which look
 * for commands there. On a terminal, control characters are escaped as well, except line breaks; in JSON with JSON
 * escapes, so that what is copied from the screen is still the same document.
 */
export function forStdout(
  text: string,
  isJson: boolean,
  isTerminal = process.stdout.isTTY,
): string {
  const inert = isJson ? escapeCommands(text, unitEscapes) : text;
  if (!isTerminal) return inert;
  const escaped = isJson ? (part: string) => escapeHidden(part, unitEscapes) : escapeTerminal;
  return inert.replace(/[^\r\n\t]+|\r(?!\n)/g, (part) => escaped(part));
}

function unitEscapes(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}

/** Redacts secrets of the current environment in text for the terminal. */
export function withoutSecrets(text: string): string {
  return createRedactor(process.env, existsSync).redact(text);
}
