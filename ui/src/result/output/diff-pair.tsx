import { type ReactNode, useMemo, useRef, useState } from 'react';
import { CopyButton } from '../../components/controls/copy-button.js';
import { findDifferences } from '../diff/differences.js';
import marks from '../diff/marks.module.css';
import { FoldedSection } from '../section.js';
import { rawText, type Seen } from '../values/value-kind.js';
import { LookChoice, useLook } from '../values/value-section.js';
import { visibleText } from '../values/visible-text.js';
import { ChangeSteps } from './change-steps.js';
import { type ComparedAs, comparedTexts } from './compared.js';
import { DiffSide } from './diff-side.js';
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
