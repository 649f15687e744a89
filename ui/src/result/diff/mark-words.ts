import { cutAt, type Range } from './differences.js';

/** The used part of a node of an HTML tree. */
interface Node {
  type: string;
  value?: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
  position?: { start: { offset?: number }; end: { offset?: number } } | undefined;
}

/** A rehype plugin that puts ranges of the Markdown source into `<mark>`. */
export function markWords(source: string, ranges: readonly Range[], className: string) {
  return () => (tree: Node) => {
    if (ranges.length > 0) mark(tree, source, ranges, className);
  };
}

function mark(parent: Node, source: string, ranges: readonly Range[], className: string): void {
  if (parent.children === undefined) return;
  parent.children = parent.children.flatMap((node) => {
    if (node.type !== 'text') {
      mark(node, source, ranges, className);
      return [node];
    }
    // The text of code has no position, but its element has one.
    return markText(node, node.position ?? parent.position, source, ranges, className);
  });
}

function markText(
  node: Node,
  position: Node['position'],
  source: string,
  ranges: readonly Range[],
  className: string,
): Node[] {
  const start = position?.start.offset;
  const end = position?.end.offset;
  const value = node.value ?? '';
  if (start === undefined || end === undefined) return [node];
  const inside = source.slice(start, end).indexOf(value);
  const wrap = (text: string, change: number | undefined): Node => ({
    type: 'element',
    tagName: 'mark',
    properties: { className: [className], dataChange: change },
    children: [{ type: 'text', value: text }],
  });
  if (inside < 0) {
    // The source contains escapes, so positions within the text are unknown: mark all of it or nothing.
    const touched = ranges.find((range) => range.start < end && range.end > start);
    return touched && value.trim() !== '' ? [wrap(value, touched.change)] : [node];
  }
  return cutAt(value, ranges, start + inside).map(({ text, isMarked, change }) =>
    isMarked ? wrap(text, change) : { type: 'text', value: text },
  );
}
