import { type ReactNode, useMemo, useRef, useState } from 'react';
import { classNames } from '../../components/class-names.js';
import { IconButton } from '../../components/controls/button.js';
import { CopyButton } from '../../components/controls/copy-button.js';
import { count, counted } from '../../components/figures/figures.js';
import { cutAt, findDifferences, type Range } from '../diff/differences.js';
import marks from '../diff/marks.module.css';
import { FoldedSection } from '../section.js';
import { FixedText, useFixedWidth } from '../values/fixed-width.js';
import { Markdown } from '../values/markdown.js';
import { ShownPart } from '../values/shown-part.js';
import { rawText } from '../values/value-kind.js';
import { LookChoice, useLook } from '../values/value-section.js';
import values from '../values/values.module.css';
import { visibleText } from '../values/visible-text.js';
import { type ChangeSteps, useChangeSteps } from './change-steps.js';
import { type ComparedAs, comparedTexts, type DiffPairParts, stretchesOf } from './compared.js';
import styles from './output-pair.module.css';
import { PairedTrees } from './paired-trees.js';
import { pairValues } from './paired-values.js';

/** The output and another value with their differences marked: two trees place by place, or two texts. */
export function DiffPair(parts: DiffPairParts) {
  const { output, other, as } = parts;
  const [look, setLook] = useLook('Output');
  const paired = useMemo(
    () => (as === 'json' ? pairValues(output, other.value) : undefined),
    [output, other.value, as],
  );
  const canChoose = as === 'markdown' || paired !== undefined;
  const choice = canChoose && (
    <LookChoice title="Output" found={parts.found} look={look} onChange={setLook} />
  );
  if (paired !== undefined && look !== 'raw') {
    return <PairedTrees {...parts} paired={paired} choice={choice} />;
  }
  const isRaw = as === 'markdown' && look === 'raw';
  return <TextPair {...parts} as={isRaw ? 'text' : as} choice={choice} />;
}

/** Two texts, the words that differ marked. */
function TextPair({
  output,
  other,
  as,
  notes,
  ends,
  isAtFirst,
  choice,
}: DiffPairParts & { choice: ReactNode }) {
  const [after, before] = useMemo(
    () => comparedTexts(output, other.value, as).map(visibleText) as [string, string],
    [output, other.value, as],
  );
  const found = useMemo(() => findDifferences(before, after, as === 'json'), [before, after, as]);
  const pair = useRef<HTMLDivElement>(null);
  // A difference that is looked for may be folded, or beyond what is shown at first.
  const [isWhole, setWhole] = useState(false);
  const { isFixed, choice: fixedChoice } = useFixedWidth(
    'Output',
    as === 'text' ? `${after}\n${before}` : undefined,
  );
  const side = { as, isFixed, isWhole, onWhole: () => setWhole(true) };
  const steps = useChangeSteps({
    pair,
    count: found.count,
    onMissing: () => setWhole(true),
    isAtFirst,
  });
  return (
    <div ref={pair} className={styles.pair}>
      <FoldedSection
        title="Output"
        note={notes[0]}
        tools={
          <>
            {choice}
            {fixedChoice}
            <CopyButton label="Copy output" text={() => rawText(output)} />
            {ends[0]}
          </>
        }
      >
        <DiffSide
          {...side}
          label="Output"
          text={after}
          ranges={found.after}
          className={marks.ins ?? ''}
        />
      </FoldedSection>
      <FoldedSection
        title={other.title}
        kind={other.kind}
        note={notes[1]}
        tools={
          <>
            <StepsOfText steps={steps} count={found.count} />
            <CopyButton
              label={`Copy ${other.title.toLowerCase()}`}
              text={() => rawText(other.value)}
            />
            {ends[1]}
          </>
        }
      >
        <DiffSide
          {...side}
          label={other.title}
          text={before}
          ranges={found.before}
          className={marks.miss ?? ''}
        />
      </FoldedSection>
    </div>
  );
}

/** The steps from one difference to the next. */
function StepsOfText({
  steps: { current, go },
  count: all,
}: {
  steps: ChangeSteps;
  count: number;
}) {
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
  label,
  isFixed,
  isWhole,
  onWhole,
  ...marked
}: Marked & {
  as: ComparedAs;
  label: string;
  /** A text is in fixed width. */
  isFixed: boolean;
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
        ) : isFixed ? (
          <FixedText label={label}>
            <MarkedText {...marked} text={part} />
          </FixedText>
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
