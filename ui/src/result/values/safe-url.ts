/** An http or https URL; `undefined` for anything else, such as `javascript:`, `file:` and relative URLs. */
export function webUrl(address: unknown): string | undefined {
  if (typeof address !== 'string' || !/^https?:\/\//i.test(address)) return undefined;
  try {
    const { protocol, href } = new URL(address);
    return protocol === 'http:' || protocol === 'https:' ? href : undefined;
  } catch {
    return undefined;
  }
}
