import { type ReactNode, useId } from 'react';
import styles from './section.module.css';

/** A section of the page: a heading, a note, and tools. */
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

/** A choice between views of the same value. */
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
    // Not a fieldset, which has its own layout.
    <span className={styles.segments} role="group" aria-label={label}>
      {(Object.entries(names) as [T, string][]).map(([id, name]) => (
        <button key={id} type="button" aria-pressed={id === value} onClick={() => onChange(id)}>
          {name}
        </button>
      ))}
    </span>
  );
}
