import { Conversation } from '../conversation/conversation.js';
import { JsonTree } from './json-tree.js';
import { Markdown } from './markdown.js';
import { ShownPart } from './shown-part.js';
import type { Seen } from './value-kind.js';
import styles from './values.module.css';
import { visibleText } from './visible-text.js';

/** A rendered value. `label`: its accessible name. */
export function ValueView({ found, label }: { found: Seen; label: string }) {
  switch (found.kind) {
    case 'nothing':
      return <p className="faint">None.</p>;
    case 'image':
      return <img className={styles.image} src={found.url} alt={label} />;
    case 'conversation':
      return <Conversation messages={found.messages} />;
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
          {(text) => <p className={styles.text}>{text === '' ? <Nothing /> : text}</p>}
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

function Nothing() {
  return <span className="faint">An empty text.</span>;
}
