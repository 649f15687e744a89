import { useEffect, useRef, useState } from 'react';
import { returnFocus } from '../../app/focus-places.js';
import { useShortcut } from '../../app/shortcuts.js';
import { Field } from './field.js';
import { Kbd } from './kbd.js';

/** Debounce time of the search, in milliseconds. */
const rest = 80;

/** The search field: `/` focuses it, Esc clears it and then goes back to where the focus was. */
export function SearchField({
  search,
  placeholder,
  className,
  autoFocus = false,
  onLeave,
  onSearch,
}: {
  /** The current search text. */
  search: string;
  placeholder: string;
  className?: string | undefined;
  autoFocus?: boolean;
  /** Called when it loses the focus without a text. */
  onLeave?: () => void;
  /** Called with the search text after the debounce time. */
  onSearch: (text: string) => void;
}) {
  const [text, setText] = useState(search);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useShortcut('search', () => {
    input.current?.focus();
    input.current?.select();
  });
  // The search was changed elsewhere: back, a link, or cleared filters.
  useEffect(() => {
    clearTimeout(timer.current);
    setText(search);
  }, [search]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const look = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(next), rest);
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
      }}
      value={text}
      onChange={(event) => look(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        if (text === '') returnFocus();
        else look('');
      }}
      end={<Kbd>/</Kbd>}
    />
  );
}
