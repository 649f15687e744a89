// What XML 1.0 cannot hold (Extensible Markup Language, fifth edition, 2.2), and what it advises against.
const forbidden =
  /[^\t\n\r\x20-\x7e\u0085\u00a0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\u{10000}-\u{10ffff}]/gu;

/**
 * Text for the content of an element; characters that XML cannot hold are shown as `\u{1b}`. A document may go to
 * stdout, where a CI service looks for `::name::` at the start of a line and for `##[name]` anywhere: their first
 * character is a reference, which reads as the same.
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

/** Text for the value of an attribute in double quotes; line ends and tabs are kept. */
export function escapeXmlAttribute(text: string): string {
  return escapeXml(text)
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;');
}
