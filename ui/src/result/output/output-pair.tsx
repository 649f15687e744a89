import { useMemo, useState } from 'react';
import type { Result } from '../../api/schema.js';
import { useShortcut } from '../../app/shortcuts.js';
import { classNames } from '../../components/class-names.js';
import { Kbd } from '../../components/controls/kbd.js';
import { Switch } from '../../components/controls/switch.js';
import { Segments } from '../section.js';
import { describeSeen, seen } from '../values/value-kind.js';
import { ValueSection } from '../values/value-section.js';
import { visibleText } from '../values/visible-text.js';
import { comparedAs, sameValue } from './compared.js';
import { DiffPair, type Other } from './diff-pair.js';
import styles from './output-pair.module.css';
import { OutputPlace } from './output-place.js';

/** Output and reference side by side, or the output of the base of a comparison, with a switch for marking differences. */
export function OutputPair({
  result,
  base,
  onRun,
}: {
  result: Result;
  /** The same case in the base of the comparison that the result was opened from. */
  base: { readonly run: string; readonly output: unknown } | undefined;
  /** Runs the result, if it can be run. */
  onRun: (() => void) | undefined;
}) {
  const [wantsDiff, setDiff] = useState(keptDiff);
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

/** Kept for the next results. */
let keptDiff = false;
