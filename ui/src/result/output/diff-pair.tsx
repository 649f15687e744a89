import { type ReactNode, useMemo } from 'react';
import type { Result } from '../../api/schema.js';
import { CopyButton } from '../../components/controls/copy-button.js';
import { cutAt, findDifferences, type Range } from '../diff/differences.js';
import marks from '../diff/marks.module.css';
import { FoldedSection } from '../section.js';
import { Markdown } from '../values/markdown.js';
import { ShownPart } from '../values/shown-part.js';
import { rawText, type Seen } from '../values/value-kind.js';
import { LookChoice, useLook } from '../values/value-section.js';
import values from '../values/values.module.css';
import { visibleText } from '../values/visible-text.js';
import { type ComparedAs, comparedText } from './compared.js';
import styles from './output-pair.module.css';

/** Output and reference with their differences marked. */
export function DiffPair({
  result: { output, reference },
  as: wanted,
  found: outputFound,
  notes,
  end,
}: {
  result: Pick<Result, 'output' | 'reference'>;
  as: ComparedAs;
  /** The kind of the output. */
  found: Seen;
  notes: readonly [string, string];
  end: ReactNode;
}) {
  const [look, setLook] = useLook('Output');
  const canChoose = wanted === 'markdown';
  const as = canChoose && look === 'raw' ? 'text' : wanted;
  const [after, before] = useMemo(
    () =>
      [visibleText(comparedText(output, as)), visibleText(comparedText(reference, as))] as const,
    [output, reference, as],
  );
  const found = useMemo(() => findDifferences(before, after), [before, after]);
  return (
    <>
      {found === undefined && (
        <p className={styles.tooMuch} role="status">
          These two are too long, or too different, to be compared word by word.
        </p>
      )}
      <div className={styles.pair}>
        <FoldedSection
          title="Output"
          note={notes[0]}
          tools={
            <>
              {canChoose && (
                <LookChoice title="Output" found={outputFound} look={look} onChange={setLook} />
              )}
              <CopyButton label="Copy output" text={() => rawText(output)} />
            </>
          }
        >
          <Side text={after} ranges={found?.after ?? []} as={as} className={marks.ins ?? ''} />
        </FoldedSection>
        <FoldedSection
          title="Reference"
          note={notes[1]}
          tools={
            <>
              <CopyButton label="Copy reference" text={() => rawText(reference)} />
              {end}
            </>
          }
        >
          <Side text={before} ranges={found?.before ?? []} as={as} className={marks.miss ?? ''} />
        </FoldedSection>
      </div>
    </>
  );
}

function Side({
  text,
  ranges,
  as,
  className,
}: {
  text: string;
  ranges: readonly Range[];
  as: ComparedAs;
  className: string;
}) {
  return (
    <ShownPart text={text}>
      {(part) =>
        as === 'markdown' ? (
          <Markdown text={part} marks={{ ranges, className }} />
        ) : (
          <pre className={as === 'json' ? values.raw : values.sans}>
            <MarkedText text={part} ranges={ranges} className={className} />
          </pre>
        )
      }
    </ShownPart>
  );
}

/** A text with its differences marked. */
function MarkedText({
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
