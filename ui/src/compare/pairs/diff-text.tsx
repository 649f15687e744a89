import { useMemo } from 'react';
import { diffWords } from '../../../../src/text/word-diff.js';
import styles from './diff-text.module.css';
import { shorten, withoutCutEnd } from './short-diff.js';

/** A text with its differences from the base. Screen readers announce deletions and insertions. */
export function DiffText({
  base,
  text,
  cut,
  isShort = false,
}: {
  base: string;
  text: string;
  /** True for texts that are truncated. */
  cut?: { readonly base: boolean; readonly other: boolean };
  /** Shortens long equal parts, for a few lines. */
  isShort?: boolean;
}) {
  const isBaseCut = cut?.base ?? false;
  const isOtherCut = cut?.other ?? false;
  const parts = useMemo(() => {
    const found = diffWords(base, text);
    if (found === undefined) return undefined;
    const seen = withoutCutEnd(found, { base: isBaseCut, other: isOtherCut });
    return isShort ? shorten(seen) : seen;
  }, [base, text, isBaseCut, isOtherCut, isShort]);
  if (parts === undefined) return text;
  let at = 0;
  return parts.map(({ kind, text: part }) => {
    const key = at;
    at += part.length + 1;
    if (kind === 'same') return <span key={key}>{part}</span>;
    return kind === 'removed' ? (
      <del key={key} className={styles.del}>
        {part}
      </del>
    ) : (
      <ins key={key} className={styles.ins}>
        {part}
      </ins>
    );
  });
}
