import { fitWidth, widthOf } from './terminal-text.js';

const between = ' · ';

/**
 * Joins parts with ` · ` on as many lines of at most `columns` columns as they need. The parts have no colours;
 * `paint` adds them at the end.
 */
export function wrapParts(
  parts: readonly string[],
  columns: number,
  indent: string,
  paint: (part: string) => string = (part) => part,
): string[] {
  const lines: string[][] = [];
  let width = 0;
  for (const part of parts) {
    const fitted = fitWidth(part, columns - indent.length);
    const longer = width + between.length + widthOf(fitted);
    if (lines.length === 0 || longer > columns) {
      lines.push([fitted]);
      width = indent.length + widthOf(fitted);
    } else {
      lines.at(-1)?.push(fitted);
      width = longer;
    }
  }
  return lines.map((line) => indent + line.map(paint).join(between));
}
