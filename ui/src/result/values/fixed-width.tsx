import { type ReactNode, useLayoutEffect } from 'react';
import { useShortcut } from '../../app/shortcuts.js';
import { store, useStored } from '../../browser/stored-text.js';
import { Kbd } from '../../components/controls/kbd.js';
import { Switch } from '../../components/controls/switch.js';
import { hasColumns } from './text-lines.js';
import styles from './values.module.css';

/** The kinds of texts in the page, and whether they are in fixed width. */
const shown = new Map<string, boolean>();

const keep = (kind: string, isFixed: boolean) => store(`fixed width ${kind}`, String(isFixed));

/** Whether texts of a kind are in fixed width: as chosen in this browser, else by what the text is. `text`: absent for other values. */
export function useFixedWidth(
  kind: string,
  text: string | undefined,
): { readonly isFixed: boolean; readonly choice: ReactNode } {
  const kept = useStored(`fixed width ${kind}`);
  const hasLines = text?.includes('\n') === true;
  const isFixed = hasLines && (kept === undefined ? hasColumns(text) : kept === 'true');
  useLayoutEffect(() => {
    if (!hasLines) return;
    shown.set(kind, isFixed);
    return () => {
      shown.delete(kind);
    };
  }, [kind, hasLines, isFixed]);
  useShortcut(
    'fixedWidth',
    () => {
      const isAll = [...shown.values()].every(Boolean);
      for (const one of shown.keys()) keep(one, !isAll);
    },
    hasLines,
  );
  const choice = hasLines && (
    <Switch
      isOn={isFixed}
      label={`Fixed width, ${kind.toLowerCase()}`}
      onChange={(next) => keep(kind, next)}
    >
      <span>
        Fixed<span className={styles.word}> width</span>
      </span>{' '}
      <Kbd>w</Kbd>
    </Switch>
  );
  return { isFixed, choice };
}

/** A text whose columns stay: it scrolls by itself. */
export function FixedText({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with keys
    <pre className={styles.fixed} tabIndex={0} role="group" aria-label={label}>
      {children}
    </pre>
  );
}
