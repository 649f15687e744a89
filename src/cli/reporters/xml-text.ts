import { codeOf, escapeCommands } from '../../text/ci-commands.js';

// Characters that XML 1.0 forbids (Extensible Markup Language, fifth edition, 2.2) or discourages.
const forbidden =
  /[^\t\n\r\x20-\x7e\u0085\u00a0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\u{10000}-\u{10ffff}]/gu;

/**
 * Escapes text for the content of an element; forbidden characters appear as `\u{1b}`. The document may go to
 * stdout, where CI services look for commands, so a character of each becomes a character reference.
 */
export function escapeXml(text: string): string {
  const escaped = text
    .replace(forbidden, (character) => `\\u{${codeOf(character)}}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
  return escapeCommands(escaped, (character) => `&#${character.codePointAt(0)};`);
}

/** Escapes text for an attribute in double quotes; line breaks and tabs are kept. */
export function escapeXmlAttribute(text: string): string {
  return escapeXml(text)
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;');
}
