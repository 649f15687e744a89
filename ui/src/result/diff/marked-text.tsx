import { cutAt, type Range } from './differences.js';

/** A text with what differs in it marked. */
export function MarkedText({
  text,
  ranges,
  className,
}: {
  text: string;
  ranges: readonly Range[];
  className: string | undefined;
}) {
  return cutAt(text, ranges).map(({ text: piece, start, isMarked }) =>
    isMarked ? (
      <mark key={start} className={className}>
        {piece}
      </mark>
    ) : (
      piece
    ),
  );
}
