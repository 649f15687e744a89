import { useEffect, useRef, useState } from 'react';
import { useShortcut } from '../app/shortcuts.js';
import { Field } from './field.js';
import { Kbd } from './kbd.js';

/** Milliseconds of rest before what was typed is looked for. */
const rest = 80;

/** A line to look for text with: `/` leads there, Esc clears it and then leaves. */
export function SearchField({
  search,
  placeholder,
  className,
  onSearch,
}: {
  /** The current search text. */
  search: string;
  placeholder: string;
  className?: string | undefined;
  /** Called with the search text, a moment after the last key. */
  onSearch: (text: string) => void;
}) {
  const [text, setText] = useState(search);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useShortcut('search', () => {
    input.current?.focus();
    input.current?.select();
  });
  // It was changed from elsewhere: back, a link, or filters that were cleared.
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
