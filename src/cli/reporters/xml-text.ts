// What XML 1.0 cannot hold (Extensible Markup Language, fifth edition, 2.2), and what it advises against.
const forbidden =
  /[^\t\n\r\x20-\x7e\u0085\u00a0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Text for the content of an element; characters that XML cannot hold are shown as `\u{1b}`. */
export function escapeXml(text: string): string {
  return text
    .replace(forbidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

/** Text for the value of an attribute in double quotes; line ends and tabs are kept. */
export function escapeXmlAttribute(text: string): string {
  return escapeXml(text)
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;');
}
