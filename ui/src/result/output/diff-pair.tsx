import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useShortcut } from '../../app/shortcuts.js';
import { classNames } from '../../components/class-names.js';
import { IconButton } from '../../components/controls/button.js';
import { CopyButton } from '../../components/controls/copy-button.js';
import { count, counted } from '../../components/figures/figures.js';
import { cutAt, findDifferences, type Range } from '../diff/differences.js';
import marks from '../diff/marks.module.css';
import { FoldedSection } from '../section.js';
import { Markdown } from '../values/markdown.js';
import { ShownPart } from '../values/shown-part.js';
import { rawText, type Seen } from '../values/value-kind.js';
import { LookChoice, useLook } from '../values/value-section.js';
import values from '../values/values.module.css';
import { visibleText } from '../values/visible-text.js';
import { type ComparedAs, comparedTexts, stretchesOf } from './compared.js';
import styles from './output-pair.module.css';

/** What an output is compared with. */
export interface Other {
  /** `Reference`, or `Output of neat-marten`. */
  readonly title: string;
  /** The same without the name of a run. */
  readonly kind: string;
  readonly value: unknown;
}

/** The output and another value with their differences marked. */
export function DiffPair({
  output,
  other,
  as: wanted,
  found: outputFound,
  notes,
  ends,
}: {
  output: unknown;
  other: Other;
  as: ComparedAs;
  /** The kind of the output. */
  found: Seen;
  notes: readonly [string, string];
  /** More tools of each. */
  ends: readonly [ReactNode, ReactNode];
}) {
  const [look, setLook] = useLook('Output');
  const canChoose = wanted === 'markdown';
  const as = canChoose && look === 'raw' ? 'text' : wanted;
  const [after, before] = useMemo(
    () => comparedTexts(output, other.value, as).map(visibleText) as [string, string],
    [output, other.value, as],
  );
  const found = useMemo(() => findDifferences(before, after, as === 'json'), [before, after, as]);
  const pair = useRef<HTMLDivElement>(null);
  // A difference that is looked for may be folded, or beyond what is shown at first.
  const [isWhole, setWhole] = useState(false);
  const side = { as, isWhole, onWhole: () => setWhole(true) };
  return (
    <div ref={pair} className={styles.pair}>
      <FoldedSection
        title="Output"
        note={notes[0]}
        tools={
          <>
            {canChoose && (
              <LookChoice title="Output" found={outputFound} look={look} onChange={setLook} />
            )}
            <CopyButton label="Copy output" text={() => rawText(output)} />
            {ends[0]}
          </>
        }
      >
        <DiffSide {...side} text={after} ranges={found.after} className={marks.ins ?? ''} />
      </FoldedSection>
      <FoldedSection
        title={other.title}
        kind={other.kind}
        note={notes[1]}
        tools={
          <>
            <ChangeSteps pair={pair} count={found.count} onMissing={() => setWhole(true)} />
            <CopyButton
              label={`Copy ${other.title.toLowerCase()}`}
              text={() => rawText(other.value)}
            />
            {ends[1]}
          </>
        }
      >
        <DiffSide {...side} text={before} ranges={found.before} className={marks.miss ?? ''} />
      </FoldedSection>
    </div>
  );
}

/** Leads from one difference to the next: `[`, `]`. */
function ChangeSteps({
  pair,
  count: all,
  onMissing,
}: {
  /** Holds the texts with marks. */
  pair: RefObject<HTMLElement | null>;
  count: number;
  /** Shows texts whole: the difference is not in the page. */
  onMissing: () => void;
}) {
  const [current, setCurrent] = useState<number>();
  const go = (by: number) => {
    if (all === 0) return;
    const next = current === undefined ? (by > 0 ? 0 : all - 1) : (current + by + all) % all;
    if (marksOf(pair.current, next).length === 0) onMissing();
    setCurrent(next);
  };
  useShortcut('changes', ({ key }) => go(key === '[' ? -1 : 1));
  useEffect(() => {
    if (current === undefined) return;
    const found = marksOf(pair.current, current);
    for (const mark of found) mark.dataset.current = '';
    found[0]?.scrollIntoView({ block: 'center' });
    return () => {
      for (const mark of found) delete mark.dataset.current;
    };
  });
  if (all === 0) return null;
  return (
    <span className={styles.changes}>
      <span role="status">
        {current === undefined || current >= all ? (
          <>
            {count(all)}
            <span className={styles.word}>{all === 1 ? ' difference' : ' differences'}</span>
          </>
        ) : (
          `${count(current + 1)} of ${count(all)}`
        )}
      </span>
      <IconButton icon="up" label="Previous difference, [" small onClick={() => go(-1)} />
      <IconButton icon="arrowDown" label="Next difference, ]" small onClick={() => go(1)} />
    </span>
  );
}

function marksOf(pair: HTMLElement | null, change: number): readonly HTMLElement[] {
  return [...(pair?.querySelectorAll<HTMLElement>(`mark[data-change="${change}"]`) ?? [])];
}

/** A text, or a part of one that begins at `offset`, and the class of its differences. */
interface Marked {
  readonly text: string;
  readonly ranges: readonly Range[];
  readonly className: string;
  readonly offset?: number;
}

/** One of two compared texts, with its differences marked. */
function DiffSide({
  as,
  isWhole,
  onWhole,
  ...marked
}: Marked & {
  as: ComparedAs;
  /** Nothing of it is left out. */
  isWhole: boolean;
  onWhole: () => void;
}) {
  if (as === 'json') return <DiffLines {...marked} />;
  return (
    <ShownPart text={marked.text} isAll={isWhole} onAll={onWhole}>
      {(part) =>
        as === 'markdown' ? (
          <Markdown text={part} marks={marked} />
        ) : (
          <pre className={values.sans}>
            <MarkedText {...marked} text={part} />
          </pre>
        )
      }
    </ShownPart>
  );
}

/** JSON, of which long stretches without a difference are folded. */
function DiffLines({ text, ...marked }: Marked) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  return (
    <pre className={values.raw}>
      {stretchesOf(text, marked.ranges).map(({ start, text: part, lines, isFolded }) =>
        isFolded && !unfolded.has(start) ? (
          <button
            key={start}
            type="button"
            className={classNames('link', values.unchanged)}
            onClick={() => setUnfolded(new Set([...unfolded, start]))}
          >
            … {counted(lines, 'line')} without a difference
          </button>
        ) : (
          <MarkedText key={start} {...marked} text={part} offset={start} />
        ),
      )}
    </pre>
  );
}

function MarkedText({ text, ranges, className, offset }: Marked) {
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
