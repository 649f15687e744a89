/** Cuts the middle out of a text that is longer; a mark says how much is missing. */
export function cutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  const begin = text.slice(0, half).toWellFormed();
  const end = text.slice(text.length - half).toWellFormed();
  return `${begin}… [cut: ${text.length - 2 * half} characters] …${end}`;
}
