// Terminal escape sequences for colours and cursor movements.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;
// Control characters, and characters that change the text direction.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unseen = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Replaces control characters by visible text: `⟨0007⟩`, `⟨202E⟩`. */
export function visibleText(text: string): string {
  return text.replace(unseen, (sign) => {
    return `⟨${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/** The same, and removes terminal escape sequences. */
export function printedText(text: string): string {
  return visibleText(text.replace(escapes, ''));
}
