import { type ReactNode, useId } from 'react';
import styles from './section.module.css';

/** A part of the page: a heading, a word on what is there, and what can be done with it. */
export function Section({
  title,
  note,
  tools,
  children,
}: {
  title: string;
  note?: ReactNode;
  tools?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note !== undefined && <span className={styles.note}>{note}</span>}
        <span className={styles.space} />
        {tools}
      </header>
      {children}
    </section>
  );
}

/** Ways to look at the same thing, one of which is in use. */
export function Segments<T extends string>({
  label,
  names,
  value,
  onChange,
}: {
  label: string;
  names: Readonly<Partial<Record<T, string>>>;
  value: T;
  onChange: (value: T) => void;
}) {
  return (
    // A fieldset has a legend and a shape of its own.
    <span className={styles.segments} role="group" aria-label={label}>
      {(Object.entries(names) as [T, string][]).map(([id, name]) => (
        <button key={id} type="button" aria-pressed={id === value} onClick={() => onChange(id)}>
          {name}
        </button>
      ))}
    </span>
  );
}
