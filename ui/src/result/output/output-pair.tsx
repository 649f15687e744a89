import { useMemo, useState } from 'react';
import type { Result } from '../../api/schema.js';
import { useShortcut } from '../../app/shortcuts.js';
import { classNames } from '../../components/class-names.js';
import { Kbd } from '../../components/controls/kbd.js';
import { Switch } from '../../components/controls/switch.js';
import { describeSeen, seen } from '../values/value-kind.js';
import { ValueSection } from '../values/value-section.js';
import { comparedAs, sameValue } from './compared.js';
import { DiffPair } from './diff-pair.js';
import styles from './output-pair.module.css';
import { OutputPlace } from './output-place.js';

/** Output and reference side by side, with a switch for marking differences. */
export function OutputPair({
  result,
  onRun,
}: {
  result: Result;
  /** Runs the result, if it can be run. */
  onRun: (() => void) | undefined;
}) {
  const [wantsDiff, setDiff] = useState(keptDiff);
  const output = useMemo(() => seen(result.output), [result.output]);
  const reference = useMemo(() => seen(result.reference), [result.reference]);
  const as = comparedAs(output, reference);
  const isSame = as !== undefined && sameValue(result.output, result.reference);
  const choose = (next: boolean) => {
    keptDiff = next;
    setDiff(next);
  };
  useShortcut('diff', () => choose(!wantsDiff), as !== undefined);
  const end = as !== undefined && (
    <Switch isOn={wantsDiff} onChange={choose}>
      Diff <Kbd>d</Kbd>
    </Switch>
  );
  if (as !== undefined && wantsDiff && !isSame) {
    return (
      <DiffPair
        result={result}
        as={as}
        found={output}
        notes={[describeSeen(output), describeSeen(reference)]}
        end={end}
      />
    );
  }
  const hasReference = reference.kind !== 'nothing';
  const note = `${describeSeen(output)}${hasReference ? '' : ', no reference'}`;
  const place = <OutputPlace result={result} found={output} note={note} onRun={onRun} />;
  if (!hasReference) return place;
  const isAlone = result.error !== null && output.kind === 'nothing';
  return (
    <div className={classNames(styles.pair, isAlone && styles.alone)}>
      {place}
      <ValueSection
        title="Reference"
        value={result.reference}
        found={reference}
        note={isSame ? 'equal to the output' : describeSeen(reference)}
        end={end}
      />
    </div>
  );
}

/** Kept for the next results. */
let keptDiff = false;
