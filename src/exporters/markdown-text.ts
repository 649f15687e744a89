import { codeEscape, escapeHidden } from '../text/hidden-characters.js';

/** Maximum length of a table cell, in characters; longer text is cut. */
export const maxCellLength = 200;

/** Separates words for tools that look for links and mentions in rendered text; invisible. */
const wordBreak = '&#8203;';

const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
const plain = /^[\p{L}\p{N} ,;()?"'/%+=-]*$/u;

/**
 * Escapes text for one line of Markdown, so that nothing in it is markup, HTML, a link, a mention, an issue number,
 * an emoji name or a formula. Line breaks become `<br>`; other hidden characters become `\u{1b}` and the like.
 */
export function escapeMarkdown(text: string): string {
  const shown = escapeHidden(text.replace(lineEnd, '\n'), visible);
  if (plain.test(shown) && !/gh-\d/i.test(shown)) return shown;
  return shown
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*_~[\]|{$^#]/g, '\\$&')
    .replace(/(?<=[\p{L}\p{N}_-])\.(?=\p{L})/gu, '\\.')
    .replace(
      /[@#](?=[\w\\-])|!(?=\d)|:(?=\/\/|[\w\\+-]+:)|www(?=\\?\.)|gh(?=-\d)/gi,
      `$&${wordBreak}`,
    )
    .replace(/\n/g, '<br>');
}

/** Escapes text for a table cell. Long text is cut, and its length is shown. */
export function escapeCell(text: string): string {
  if (text.length <= maxCellLength) return escapeMarkdown(text);
  const total = countCharacters(text);
  if (total <= maxCellLength) return escapeMarkdown(text);
  const start = [...text.slice(0, 2 * maxCellLength)].slice(0, maxCellLength).join('');
  return `${escapeMarkdown(start)}… (${total.toLocaleString('en-US')} characters)`;
}

/** The address of a case's source on the service that keeps the repository; `undefined` if it is not known. */
export type LinkOfCase = (id: string) => string | undefined;

/** Escaped text as a link, if there is an address for it. */
export function linked(markdown: string, address: string | undefined): string {
  return address === undefined ? markdown : `[${markdown}](${address})`;
}

function visible(char: string): string {
  if (char === '\n') return char;
  return char === '\t' ? ' ' : codeEscape(char);
}

/** Counts code points without an array of them, because values may be megabytes long. */
function countCharacters(text: string): number {
  const pairs = text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return text.length - pairs;
}
