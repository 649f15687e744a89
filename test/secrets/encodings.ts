/** Ways in which programs write a text down so that it can be read again, each with a name. */
export const encodings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  percent: encodeURIComponent,
  'percent, lower case': (text) =>
    encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'percent, all characters': (text) =>
    Buffer.from(text)
      .toString('hex')
      .replace(/../g, (code) => `%${code}`),
  'percent, twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'address bar': encodeURI,
  form: (text) => new URLSearchParams({ q: text }).toString(),
  JSON: (text) => JSON.stringify(text),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify({ text })),
  'JSON in ASCII': (text) =>
    JSON.stringify(text).replace(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  'JSON with escaped slashes': (text) => JSON.stringify(text).replaceAll('/', '\\/'),
  HTML: (text) => html(text).replaceAll("'", '&#39;'),
  'HTML, hexadecimal': (text) =>
    [...text].map((one) => `&#x${one.codePointAt(0)?.toString(16)};`).join(''),
  'HTML with JSON': (text) => html(JSON.stringify(text)),
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 after one byte': (text) => Buffer.from(`:${text}`).toString('base64'),
  'base64 of a user and a password': (text) => Buffer.from(`user:${text}@`).toString('base64'),
};

function html(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
