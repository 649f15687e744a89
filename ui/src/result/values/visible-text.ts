import { codeOf, escapeHidden } from '../../../../src/text/hidden-characters.js';

// Terminal escape sequences for colours and cursor movements.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;

/** Replaces hidden characters by visible text, but for tabs and line breaks: `⟨0007⟩`, `⟨202E⟩`. */
export function visibleText(text: string): string {
  return escapeHidden(text, (sign) => {
    if ('\t\n\r'.includes(sign)) return sign;
    return `⟨${codeOf(sign).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/** The same, and removes terminal escape sequences. */
export function printedText(text: string): string {
  return visibleText(text.replace(escapes, ''));
}
