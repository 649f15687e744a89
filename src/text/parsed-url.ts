let last: { readonly text: string; readonly url: URL | undefined } | undefined;

/** An address, not to be changed; `undefined` for other text. Keeps the last, because one call needs it several times. */
export function parsedUrl(text: string): URL | undefined {
  if (last?.text !== text) last = { text, url: URL.canParse(text) ? new URL(text) : undefined };
  return last.url;
}

/** The host of an address, with its port; empty for other text. */
export function hostOf(text: string): string {
  return parsedUrl(text)?.host ?? '';
}
