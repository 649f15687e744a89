const name =
  '(?:authorization|cookie2?|api[-_]?key|auth[-_]?token|access[-_]?token|refresh[-_]?token|client[-_]?secret)';
const scheme = '(?:Basic|Bearer|Digest|Token|ApiKey|Negotiate|AWS4-HMAC-SHA256)';
const hidden = '[redacted]';

// A quick look: nearly no text has any of it.
const worthALook = /authorization|cookie|key|token|secret/i;

/** How credentials stand in what programs print: the name and all up to the value, then the value. */
const forms: readonly RegExp[] = [
  // JSON within JSON: \"authorization\":\"Bearer …\"
  new RegExp(String.raw`(${name}\\+["']\s*[:,]\s*\\+(["']))((?:(?!\\+\2)[^\n])+)`, 'gi'),
  // JSON and what Node shows of objects, maps and lists: 'x-api-key': '…', 'cookie' => '…', ['Authorization', '…']
  new RegExp(
    String.raw`(${name}(?:["']?\s*(?:[:=]|=>)|["']\s*,)\s*(["']))((?:\\.|(?!\2)[^\\\n])+)`,
    'gi',
  ),
  // Header lines, also as curl shows them: > Authorization: Bearer …
  new RegExp(String.raw`(^[ \t<>*|-]*(?:[a-z0-9]+-)*${name}:()[ \t]*)([^\s"'{[][^\r\n]*)`, 'gim'),
  // Cookies behind other words: failed with Cookie: a=…; b=…
  /(cookie2?:()[ \t]*)([^\s;=]+=[^\s;]*(?:;[ \t]*[^\s;=]+=[^\s;]*)*)/gi,
  // Headers behind other words: failed with Authorization: Bearer … (x-api-key: …), or with parameters: Digest a="…", b=…
  new RegExp(
    String.raw`(${name}:()[ \t]*(?:${scheme}[ \t]+)?(?!${scheme}[ \t]|\[redacted))((?:[\w-]+=(?:"[^"\n]*"|[^\s,"]+)(?:,[ \t]*)?)+|[^\s"',;(){}[\]<>]+)`,
    'gi',
  ),
  // Parameters: ?api_key=…
  new RegExp(String.raw`(${name}=())([^\s&"';,]+)`, 'gi'),
];

/**
 * Takes out of text what stands under the names of credentials, such as `Authorization: Bearer …`, for text that
 * programs print: values are not to be changed by their look.
 */
export function redactCredentials(text: string): string {
  if (!worthALook.test(text)) return text;
  return forms.reduce(
    (rest, form) =>
      rest.replace(form, (found: string, start: string, _quote: string, value: string) =>
        // What has a name already says more.
        /^(?:\w+ )?\[redacted(?::\w+)?\]$/.test(value) ? found : start + hidden,
      ),
    text,
  );
}
