/** Maximum length of a table cell, in characters; longer text is cut. */
export const maxCellLength = 200;

/** Separates words for tools that look for links and mentions in rendered text; invisible. */
const wordBreak = '&#8203;';

const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
const unseen = /[\p{Cc}\p{Bidi_Control}]/gu;
const plain = /^[\p{L}\p{N} ,;()?"'/%+=-]*$/u;

/**
 * Escapes text for one line of Markdown, so that nothing in it is markup, HTML, a link, a mention, an issue number,
 * an emoji name or a formula. Line breaks become `<br>`; other control characters, and those that change the
 * direction of text, become `\u001b` and the like.
 */
export function escapeMarkdown(text: string): string {
  if (plain.test(text) && !/gh-\d/i.test(text)) return text;
  return text
    .replace(lineEnd, '\n')
    .replace(unseen, (char) => (char === '\n' ? char : visible(char)))
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

function visible(char: string): string {
  return char === '\t' ? ' ' : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Counts code points without an array of them, because values may be megabytes long. */
function countCharacters(text: string): number {
  const pairs = text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return text.length - pairs;
}
