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

/** A data URL with an image; `undefined` for other values. */
export function imageUrl(value: unknown): string | undefined {
  const isImage =
    typeof value === 'string' &&
    /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp|svg\+xml)[;,]/i.test(value.slice(0, 40));
  return isImage ? value : undefined;
}
