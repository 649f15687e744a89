/** Longest text of a table cell, in characters; longer ones are cut. */
export const maxCellLength = 200;

/** Ends a word for everything that looks for links and mentions in finished text; shows as nothing. */
const wordBreak = '&#8203;';

const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
const unseen = /[\p{Cc}\p{Bidi_Control}]/gu;
const plain = /^[\p{L}\p{N} ,;()?"'/%+=-]*$/u;

/**
 * Text on one line of Markdown that reads as it is: nothing in it is markup, HTML, a link, a mention, an
 * issue number, an emoji name or a formula. Line ends become `<br>`, other control characters and those
 * that turn the direction of text are shown as `\u001b`.
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

/** Text for a table cell: cut when it is long, saying how long it is, then escaped. */
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

/** Counts code points without making an array of them: values may be megabytes long. */
function countCharacters(text: string): number {
  const pairs = text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return text.length - pairs;
}
