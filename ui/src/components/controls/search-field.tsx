import { useEffect, useRef, useState } from 'react';
import { fieldStarts } from '../../../../src/model/result-field.js';
import { returnFocus } from '../../app/focus-places.js';
import { useShortcut } from '../../app/shortcuts.js';
import { Field } from './field.js';
import { Kbd } from './kbd.js';

/** Debounce time of the search, in milliseconds. */
const rest = 80;

/** The last word may be a condition, such as `metadata.tier=pro`, that is still being typed. */
const endsInCondition = new RegExp(
  `(?:^|\\s)(?:${fieldStarts.join('|')})(?:[.[][^\\s=~<>]*)?!?[=~<>](?:=?"[^"]*"?|\\S*)$`,
);

/** The search field: `/` focuses it, Esc clears it and then goes back to where the focus was. */
export function SearchField({
  search,
  placeholder,
  className,
  autoFocus = false,
  onLeave,
  onSearch,
  readLine,
}: {
  /** The current search text. */
  search: string;
  placeholder: string;
  className?: string | undefined;
  autoFocus?: boolean;
  /** Called when it loses the focus without a text. */
  onLeave?: () => void;
  /** Called with the search text after the debounce time, and with the conditions that were in it. */
  onSearch: (text: string, conditions: readonly string[]) => void;
  /** Takes conditions out of a text, once they end: before further words, on Enter, and on leaving. */
  readLine?: (
    text: string,
  ) => Promise<{ readonly conditions: readonly string[]; readonly search: string }>;
}) {
  const [text, setText] = useState(search);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The text that this field has asked for last.
  const asked = useRef(search);
  useShortcut('search', () => {
    input.current?.focus();
    input.current?.select();
  });
  // The search was changed elsewhere: back, a link, or cleared filters.
  useEffect(() => {
    if (search === asked.current) return;
    asked.current = search;
    clearTimeout(timer.current);
    setText(search);
  }, [search]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const ask = (next: string, conditions: readonly string[] = []) => {
    clearTimeout(timer.current);
    asked.current = next;
    onSearch(next, conditions);
  };
  const look = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    // The beginning of a condition would find nothing.
    if (readLine !== undefined && endsInCondition.test(next)) return;
    if (next.endsWith(' ') && endsInCondition.test(next.trimEnd())) void commit(next);
    else timer.current = setTimeout(() => ask(next), rest);
  };
  const commit = async (given: string) => {
    if (readLine === undefined || !/[=~<>:]/.test(given)) {
      if (given !== search) ask(given);
      return;
    }
    const line = await readLine(given);
    // What was typed meanwhile stays.
    const typed = input.current?.value ?? given;
    const more = typed.startsWith(given) ? typed.slice(given.length) : '';
    const next = line.search === '' ? more : `${line.search}${more && ' '}${more}`;
    setText(next);
    ask(next, line.conditions);
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
      placeholder={placeholder}
      className={className}
      autoFocus={autoFocus}
      onBlur={() => {
        if (text === '') onLeave?.();
        else if (endsInCondition.test(text)) void commit(text);
      }}
      value={text}
      onChange={(event) => look(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void commit(text);
        if (event.key !== 'Escape') return;
        if (text === '') returnFocus();
        else look('');
      }}
      end={<Kbd>/</Kbd>}
    />
  );
}
