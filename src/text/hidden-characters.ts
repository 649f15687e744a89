/** What is visible in ASCII is never hidden, nor does it decide whether its neighbours are. */
const maybeHidden = /[^\x20-\x7e]+/g;

// Joiners inside emoji, Arabic and Indic words are legitimate. Characters that are invisible, change the direction,
// break lines or pile up marks are not.
const hidden = new RegExp(
  [
    String.raw`((?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic}))`,
    String.raw`((?<=[\u0600-\u0DFF])[\u200C\u200D](?=[\u0600-\u0DFF]))`,
    String.raw`(?<=[\p{Mn}\p{Me}]{8})[\p{Mn}\p{Me}]`,
    String.raw`(?![\uFE00-\uFE0F\u{E0100}-\u{E01EF}\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`,
  ].join('|'),
  'gu',
);

/**
 * Replaces what a reader of untrusted text would not see, or would see elsewhere: control characters, direction marks,
 * invisible characters, lone surrogates, breaks of lines, and marks that pile up. `show` writes one of them.
 */
export function escapeHidden(text: string, show: (character: string) => string): string {
  return text.replace(maybeHidden, (part) =>
    part.replace(hidden, (found, inEmoji?: string, inWord?: string) =>
      inEmoji !== undefined || inWord !== undefined ? found : show(found),
    ),
  );
}

/** The same, with tabs and line breaks as they are, and `\u{202e}` for the others. */
export function escapeHiddenInLines(text: string): string {
  return escapeHidden(text, (character) =>
    '\t\n\r'.includes(character) ? character : codeEscape(character),
  );
}

/** `\u{202e}` */
export function codeEscape(character: string): string {
  return `\\u{${codeOf(character)}}`;
}

/** The number of a character for an escape: hexadecimal. */
export function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}
