import { useEffect, useRef, useState } from 'react';
import { useShortcut } from '../../app/shortcuts.js';
import { Field } from '../../components/field.js';
import { counted } from '../../components/figures.js';
import { Kbd } from '../../components/kbd.js';
import { useCompareView } from '../use-compare-view.js';
import styles from './compare-bar.module.css';

/** Milliseconds of rest before what was typed is looked for. */
const rest = 80;

/** Looks for text in the results of all runs; what is looked for stands in the URL. */
export function PairSearch({ total }: { total: number }) {
  const [{ search }, setView] = useCompareView();
  const [text, setText] = useState(search);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useShortcut('search', () => {
    input.current?.focus();
    input.current?.select();
  });
  // The URL changed from elsewhere: back, a link, or filters that were cleared.
  useEffect(() => {
    clearTimeout(timer.current);
    setText(search);
  }, [search]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const look = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => setView((view) => ({ ...view, search: next }), { replace: true }),
      rest,
    );
  };
  return (
    <Field
      ref={input}
      type="text"
      inputMode="search"
      enterKeyHint="search"
      maxLength={1000}
      icon="search"
      label="Search"
      placeholder={`Search ${counted(total, 'pair')}`}
      className={styles.search}
      value={text}
      onChange={(event) => look(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        if (text === '') event.currentTarget.blur();
        else look('');
      }}
      end={<Kbd>/</Kbd>}
    />
  );
}
