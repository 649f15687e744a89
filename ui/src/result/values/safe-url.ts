/** The address when it leads to the web, else nothing: no `javascript:`, no `file:`, no address of this page. */
export function webUrl(address: unknown): string | undefined {
  if (typeof address !== 'string' || !/^https?:\/\//i.test(address)) return undefined;
  try {
    const { protocol, href } = new URL(address);
    return protocol === 'http:' || protocol === 'https:' ? href : undefined;
  } catch {
    return undefined;
  }
}

/** The value when it is an image that is whole in itself. */
export function imageUrl(value: unknown): string | undefined {
  const isImage =
    typeof value === 'string' &&
    /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp|svg\+xml)[;,]/i.test(value.slice(0, 40));
  return isImage ? value : undefined;
}
