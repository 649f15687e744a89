import { type ReactNode, useMemo, useState } from 'react';
import type { Result } from '../../api/schema.js';
import { useShortcut } from '../../app/shortcuts.js';
import { classNames } from '../../components/class-names.js';
import { Button } from '../../components/controls/button.js';
import { Kbd } from '../../components/controls/kbd.js';
import { Switch } from '../../components/controls/switch.js';
import { Icon } from '../../components/icons/icon.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { Section, Segments } from '../section.js';
import { describeSeen, type Seen, seen } from '../values/value-kind.js';
import { ValueSection } from '../values/value-section.js';
import { visibleText } from '../values/visible-text.js';
import { comparedAs, type Other, sameValue } from './compared.js';
import { DiffPair } from './diff-pair.js';
import styles from './output-pair.module.css';

/** What is shown of a result. */
type Shown = Pick<Result, 'output' | 'reference' | 'error' | 'status'>;

/**
 * Output and reference side by side, or the output of the base of a comparison, with a switch for marking differences. What
 * fails begins with them, at the first one.
 */
export function OutputPair({
  result,
  base,
  onRun,
  isFailing = false,
}: {
  result: Shown;
  /** The same case in the base of the comparison that the result was opened from. */
  base: { readonly run: string; readonly output: unknown } | undefined;
  /** Runs the result, if it can be run. */
  onRun: (() => void) | undefined;
  isFailing?: boolean;
}) {
  const [chosenDiff, setDiff] = useState(keptDiff);
  const wantsDiff = chosenDiff ?? isFailing;
  const [wantsReference, setReference] = useState(false);
  const hasReference = result.reference !== null;
  const isBase = base !== undefined && !(wantsReference && hasReference);
  const other: Other = isBase
    ? {
        title: `Output of ${visibleText(base.run)}`,
        kind: 'Output of the base',
        value: base.output,
      }
    : { title: 'Reference', kind: 'Reference', value: result.reference };
  const output = useMemo(() => seen(result.output), [result.output]);
  const otherFound = useMemo(() => seen(other.value), [other.value]);
  const as = comparedAs(output, otherFound);
  const isSame = as !== undefined && sameValue(result.output, other.value);
  const choose = (next: boolean) => {
    keptDiff = next;
    setDiff(next);
  };
  useShortcut('diff', () => choose(!wantsDiff), as !== undefined);
  const choice = base !== undefined && hasReference && (
    <span className={styles.choice}>
      <Segments
        label="Beside the output"
        names={{ base: visibleText(base.run), reference: 'Reference' }}
        value={isBase ? 'base' : 'reference'}
        onChange={(next) => setReference(next === 'reference')}
      />
    </span>
  );
  const diff = as !== undefined && (
    <Switch isOn={wantsDiff} onChange={choose}>
      Diff <Kbd>d</Kbd>
    </Switch>
  );
  if (as !== undefined && wantsDiff && !isSame) {
    return (
      <DiffPair
        key={other.title}
        output={result.output}
        other={other}
        as={as}
        found={output}
        notes={[describeSeen(output), describeSeen(otherFound)]}
        ends={[choice, diff]}
        isAtFirst={isFailing}
      />
    );
  }
  const hasOther = isBase || hasReference;
  const note = `${describeSeen(output)}${hasOther ? '' : ', no reference'}`;
  const place = (
    <OutputPlace result={result} found={output} note={note} end={choice} onRun={onRun} />
  );
  if (!hasOther) return place;
  const isAlone = result.error !== null && output.kind === 'nothing';
  return (
    <div className={classNames(styles.pair, isAlone && styles.alone)}>
      {place}
      <ValueSection
        title={other.title}
        kind={other.kind}
        value={other.value}
        found={otherFound}
        note={isSame ? 'equal to the output' : describeSeen(otherFound)}
        end={isAlone ? choice : diff}
      />
    </div>
  );
}

/** Whether differences are marked, if that was chosen; kept for the next results. */
let keptDiff: boolean | undefined;

/** The output, the error in its place, or why there is none yet. */
function OutputPlace({
  result,
  found,
  note,
  end,
  onRun,
}: {
  result: Shown;
  found: Seen;
  note: string;
  /** More tools. */
  end: ReactNode;
  onRun: (() => void) | undefined;
}) {
  const { error, output, status } = result;
  if (status !== 'completed' && status !== 'error') {
    return (
      <Section title="Output" tools={end}>
        <Awaited status={status} onRun={onRun} />
      </Section>
    );
  }
  if (error !== null && found.kind === 'nothing') return null;
  return <ValueSection title="Output" value={output} found={found} note={note} end={end} />;
}

/** Reason for a missing output, by status. */
const awaited = {
  not_started: 'This evaluation has not been run.',
  cancelled: 'It was cancelled before it finished.',
  pending: 'It is queued. Its output appears here when it finishes.',
  running: 'It is running. Its output appears here when it finishes.',
} as const;

function Awaited({
  status,
  onRun,
}: {
  status: keyof typeof awaited;
  onRun: (() => void) | undefined;
}) {
  return (
    <div className={styles.awaited}>
      <p>
        <StatusIcon standing={status} />
        {awaited[status]}
      </p>
      {onRun && (
        <Button small onClick={onRun}>
          <Icon name="play" /> Run it
        </Button>
      )}
    </div>
  );
}
