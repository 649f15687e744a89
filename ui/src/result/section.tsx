import { type ReactNode, useId } from 'react';
import { useStoredFlag } from '../browser/use-stored-flag.js';
import { classNames } from '../components/class-names.js';
import { Icon } from '../components/icons/icon.js';
import styles from './section.module.css';

interface SectionParts {
  readonly title: string;
  readonly note?: ReactNode;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** A section of the page: a heading, a note, and tools. */
export function Section({
  title,
  heading = title,
  note,
  outline,
  tools,
  className,
  children,
}: SectionParts & {
  heading?: ReactNode;
  /** What the outline says of it; by default the part of the note with a number. */
  outline?: string | undefined;
  className?: string | undefined;
}) {
  const id = useId();
  return (
    <section
      className={classNames(styles.section, className)}
      aria-labelledby={id}
      data-outline={outline}
    >
      <header>
        <h2 id={id}>{heading}</h2>
        {note !== undefined && note !== '' && note !== false && (
          <span className={styles.note} title={typeof note === 'string' ? note : undefined}>
            {note}
          </span>
        )}
        <span className={styles.space} />
        {tools}
      </header>
      {children}
    </section>
  );
}

/** A section that folds to its heading; the browser remembers it for all results. */
export function FoldedSection({
  isFoldedAtFirst = false,
  foldedNote,
  title,
  kind = title,
  note,
  outline,
  tools,
  children,
}: SectionParts & {
  /** As of {@link Section}. */
  outline?: string | undefined;
  /** What its folding is kept as. */
  kind?: string | undefined;
  isFoldedAtFirst?: boolean;
  /** Shown instead of the note while it is folded. */
  foldedNote?: ReactNode;
}) {
  const [isFolded, setFolded] = useStoredFlag(`folded ${kind}`, isFoldedAtFirst);
  return (
    <Section
      title={title}
      heading={
        <button
          type="button"
          className={styles.fold}
          aria-expanded={!isFolded}
          onClick={() => setFolded(!isFolded)}
        >
          <Icon name={isFolded ? 'right' : 'down'} small />
          <span className="cut" title={title}>
            {title}
          </span>
        </button>
      }
      note={isFolded ? (foldedNote ?? note) : note}
      outline={outline}
      tools={!isFolded && tools}
    >
      {!isFolded && children}
    </Section>
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
