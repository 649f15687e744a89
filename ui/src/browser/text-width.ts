let pen: CanvasRenderingContext2D | null | undefined;

/** The width of a text in the page's font for words, in pixels. */
export function textWidth(text: string, size: number): number {
  pen ??= document.createElement('canvas').getContext('2d');
  if (pen === null) return text.length * size * 0.55;
  pen.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
}
