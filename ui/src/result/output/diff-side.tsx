import { useState } from 'react';
import { classNames } from '../../components/class-names.js';
import { counted } from '../../components/figures/figures.js';
import { cutAt, type Range } from '../diff/differences.js';
import { Markdown } from '../values/markdown.js';
import { ShownPart } from '../values/shown-part.js';
import values from '../values/values.module.css';
import type { ComparedAs } from './compared.js';
import { type Stretch, stretchesOf } from './stretches.js';

/** One of two compared texts, with its differences marked. */
export function DiffSide({
  text,
  ranges,
  as,
  className,
  isWhole,
  onWhole,
}: {
  text: string;
  ranges: readonly Range[];
  as: ComparedAs;
  className: string;
  /** Nothing of it is left out. */
  isWhole: boolean;
  onWhole: () => void;
}) {
  if (as === 'json') return <DiffLines text={text} ranges={ranges} className={className} />;
  const whole = (part: string) =>
    as === 'markdown' ? (
      <Markdown text={part} marks={{ ranges, className }} />
    ) : (
      <pre className={values.sans}>
        <MarkedText text={part} ranges={ranges} offset={0} className={className} />
      </pre>
    );
  return (
    <ShownPart text={text} isAll={isWhole} onAll={onWhole}>
      {whole}
    </ShownPart>
  );
}

/** JSON, of which long stretches without a difference are folded. */
function DiffLines({
  text,
  ranges,
  className,
}: {
  text: string;
  ranges: readonly Range[];
  className: string;
}) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  return (
    <pre className={values.raw}>
      {stretchesOf(text, ranges).map((stretch) =>
        stretch.isFolded && !unfolded.has(stretch.start) ? (
          <FoldedLines
            key={stretch.start}
            stretch={stretch}
            onClick={() => setUnfolded(new Set([...unfolded, stretch.start]))}
          />
        ) : (
          <MarkedText
            key={stretch.start}
            text={stretch.text}
            ranges={ranges}
            offset={stretch.start}
            className={className}
          />
        ),
      )}
    </pre>
  );
}

function FoldedLines({ stretch, onClick }: { stretch: Stretch; onClick: () => void }) {
  return (
    <button type="button" className={classNames('link', values.unchanged)} onClick={onClick}>
      … {counted(stretch.lines, 'line')} without a difference
    </button>
  );
}

/** A text that begins at `offset`, with its differences marked. */
function MarkedText({
  text,
  ranges,
  offset,
  className,
}: {
  text: string;
  ranges: readonly Range[];
  offset: number;
  className: string;
}) {
  return cutAt(text, ranges, offset).map(({ text: piece, start, isMarked, change }) =>
    isMarked ? (
      <mark key={start} className={className} data-change={change}>
        {piece}
      </mark>
    ) : (
      piece
    ),
  );
}
