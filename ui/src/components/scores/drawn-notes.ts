/** True for notes of several lines, such as assertions with a difference, which need a font of one width. */
export function isDrawn(notes: string): boolean {
  return /\n[ +-]/.test(notes);
}
