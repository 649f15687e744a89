const name =
  '(?:authorization|cookie2?|api[-_]?key|auth[-_]?token|access[-_]?token|refresh[-_]?token|client[-_]?secret)';
const scheme = '(?:Basic|Bearer|Digest|Token|ApiKey|Negotiate|AWS4-HMAC-SHA256)';
const hidden = '[redacted]';

// A quick test: hardly any text contains these parts of the names. They are chosen for rare letters: with `key` and `oken` it takes twice as long.
const worthALook = /(?:oo?|[-_i])k(?:ie|ey|en)|izat|cret/i;

/** Patterns of printed credentials: the name with everything up to the value, then the value. */
const forms: readonly RegExp[] = [
  // JSON within JSON: \"authorization\":\"Bearer …\"
  new RegExp(String.raw`(${name}\\+["']\s*[:,]\s*\\+(["']))((?:(?!\\+\2)[^\n])+)`, 'gi'),
  // JSON, and what Node prints for objects, maps and lists: 'x-api-key': '…', 'cookie' => '…', ['Authorization',
  // '…']
  new RegExp(
    String.raw`(${name}(?:["']?\s*(?:[:=]|=>)|["']\s*,)\s*(["']))((?:\\.|(?!\2)[^\\\n])+)`,
    'gi',
  ),
  // Header lines, including those of curl: > Authorization: Bearer …
  new RegExp(String.raw`(^[ \t<>*|-]*(?:[a-z0-9]+-)*${name}:()[ \t]*)([^\s"'{[][^\r\n]*)`, 'gim'),
  // Cookies after other words: failed with Cookie: a=…; b=…
  /(cookie2?:()[ \t]*)([^\s;=]+=[^\s;]*(?:;[ \t]*[^\s;=]+=[^\s;]*)*)/gi,
  // Headers after other words: failed with Authorization: Bearer … (x-api-key: …), or with parameters: Digest
  // a="…", b=…
  new RegExp(
    String.raw`(${name}:()[ \t]*(?:${scheme}[ \t]+)?(?!${scheme}[ \t]|\[redacted))((?:[\w-]+=(?:"[^"\n]*"|[^\s,"]+)(?:,[ \t]*)?)+|[^\s"',;(){}[\]<>]+)`,
    'gi',
  ),
  // Parameters: ?api_key=…
  new RegExp(String.raw`(${name}=())([^\s&"';,]+)`, 'gi'),
];

/**
 * Redacts values after names of credentials, such as `Authorization: Bearer …`, in text that programs print. Do not
 * use it for data, which must not change because of how it looks.
 */
export function redactCredentials(text: string): string {
  if (!worthALook.test(text)) return text;
  return forms.reduce(
    (rest, form) =>
      rest.replace(form, (found: string, start: string, _quote: string, value: string) =>
        // A redaction with a name is more informative.
        /^(?:\w+ )?\[redacted(?::\w+)?\]$/.test(value) ? found : start + hidden,
      ),
    text,
  );
}
