// Characters that XML 1.0 forbids (Extensible Markup Language, fifth edition, 2.2) or discourages.
const forbidden =
  /[^\t\n\r\x20-\x7e\u0085\u00a0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\u{10000}-\u{10ffff}]/gu;

/**
 * Escapes text for the content of an element; forbidden characters appear as `\u{1b}`. The document may go to
 * stdout, where a CI service looks for `::name::` at the start of a line and for `##[name]` anywhere, so their
 * first character becomes a character reference.
 */
export function escapeXml(text: string): string {
  return text
    .replace(forbidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
    .replace(/^([^\S\n]*):(?=:)/gm, '$1&#58;')
    .replaceAll('##[', '&#35;#[');
}

/** Escapes text for an attribute in double quotes; line breaks and tabs are kept. */
export function escapeXmlAttribute(text: string): string {
  return escapeXml(text)
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;');
}
