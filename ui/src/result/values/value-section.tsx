import { type ReactNode, useMemo, useState } from 'react';
import { CopyButton } from '../../components/controls/copy-button.js';
import { Conversation } from '../conversation/conversation.js';
import { FoldedSection, Segments } from '../section.js';
import { FixedText, useFixedWidth } from './fixed-width.js';
import { JsonTree } from './json-tree.js';
import { Markdown } from './markdown.js';
import { ShownPart } from './shown-part.js';
import { describeSeen, rawText, type Seen, seen } from './value-kind.js';
import styles from './values.module.css';
import { visibleText } from './visible-text.js';

/** Names of the rendered view, by kind of value. */
const readNames: Readonly<Partial<Record<Seen['kind'], string>>> = {
  image: 'Image',
  conversation: 'Conversation',
  markdown: 'Read',
  tree: 'Tree',
};

/** A section with one value, rendered or raw, and a copy button. */
export function ValueSection({
  title,
  kind = title,
  value,
  note,
  found: given,
  output,
  end,
  isFoldedAtFirst = false,
}: {
  title: string;
  /** What its folding and its view are kept as. */
  kind?: string | undefined;
  value: unknown;
  note?: string;
  /** The kind of the value, if already known. */
  found?: Seen;
  /** A message that is equal to it says so. */
  output?: unknown;
  /** More tools. */
  end?: ReactNode;
  isFoldedAtFirst?: boolean;
}) {
  const found = useMemo(() => given ?? seen(value), [given, value]);
  const [look, setLook] = useLook(kind);
  const { isFixed, choice } = useFixedWidth(kind, found.kind === 'text' ? found.text : undefined);
  const isRaw = look === 'raw' && readNames[found.kind] !== undefined;
  return (
    <FoldedSection
      title={title}
      kind={kind}
      isFoldedAtFirst={isFoldedAtFirst}
      note={note ?? describeSeen(found)}
      tools={
        <>
          <LookChoice title={title} found={found} look={look} onChange={setLook} />
          {choice}
          {found.kind !== 'nothing' && (
            <CopyButton label={`Copy ${title.toLowerCase()}`} text={() => rawText(value)} />
          )}
          {end}
        </>
      }
    >
      {isRaw ? (
        <RawView text={rawText(value)} />
      ) : (
        <ValueView found={found} label={title} output={output} isFixed={isFixed} />
      )}
    </FoldedSection>
  );
}

/** The choice between rendered and raw, if there is one. */
export function LookChoice({
  title,
  found,
  look,
  onChange,
}: {
  title: string;
  found: Seen;
  look: Look;
  onChange: (look: Look) => void;
}) {
  const name = readNames[found.kind];
  if (name === undefined) return null;
  return (
    <Segments
      label={`${title} as`}
      names={{ read: name, raw: 'Raw' }}
      value={look}
      onChange={onChange}
    />
  );
}

/** Rendered, or raw text. */
type Look = 'read' | 'raw';

const kept = new Map<string, string>();

/** The chosen view of a section, kept for the next results. */
export function useLook<T extends string = Look>(
  part: string,
  first: T | 'read' = 'read',
): readonly [T, (look: T) => void] {
  // Only what this very hook has kept for the same part.
  const [look, setLook] = useState(() => (kept.get(part) ?? first) as T);
  const choose = (next: T) => {
    kept.set(part, next);
    setLook(next);
  };
  return [look, choose];
}

/** A rendered value. `label`: its accessible name. */
export function ValueView({
  found,
  label,
  output,
  isFixed = false,
}: {
  found: Seen;
  label: string;
  output?: unknown;
  /** A text is in fixed width. */
  isFixed?: boolean;
}) {
  switch (found.kind) {
    case 'nothing':
      return <p className="faint">None.</p>;
    case 'image':
      return <img className={styles.image} src={found.url} alt={label} />;
    case 'conversation':
      return <Conversation messages={found.messages} output={output} />;
    case 'tree':
      return <JsonTree value={found.value} label={label} />;
    case 'word':
      return <p className={styles.raw}>{found.text}</p>;
    case 'markdown':
      return (
        <ShownPart text={visibleText(found.text)}>{(text) => <Markdown text={text} />}</ShownPart>
      );
    case 'text':
      return (
        <ShownPart text={visibleText(found.text)}>
          {(text) =>
            isFixed ? (
              <FixedText label={label}>{text}</FixedText>
            ) : (
              <p className={styles.text}>{text || <span className="faint">An empty text.</span>}</p>
            )
          }
        </ShownPart>
      );
  }
}

/** A raw value. */
export function RawView({ text }: { text: string }) {
  return (
    <ShownPart text={visibleText(text)}>
      {(part) => <pre className={styles.raw}>{part}</pre>}
    </ShownPart>
  );
}
