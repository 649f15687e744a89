import { CopyButton } from '../components/controls/copy-button.js';
import styles from './metadata.module.css';
import { FoldedSection } from './section.js';
import { JsonTree } from './values/json-tree.js';
import { ShownPart } from './values/shown-part.js';
import { isBranch } from './values/tree-shape.js';
import { rawText } from './values/value-kind.js';
import { visibleText } from './values/visible-text.js';

/** A list of names and values; nothing if it is empty. */
export function Metadata({
  title,
  values,
  isFoldedAtFirst,
}: {
  title: string;
  isFoldedAtFirst: boolean;
  values: Readonly<Record<string, unknown>>;
}) {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  const plain = entries.filter(([, value]) => !isBranch(value));
  const branches = entries.filter(([, value]) => isBranch(value));
  return (
    <FoldedSection
      title={title}
      isFoldedAtFirst={isFoldedAtFirst}
      foldedNote={plain.map(([key, value]) => `${key} ${rawText(value)}`.slice(0, 60)).join(', ')}
      tools={<CopyButton label={`Copy ${title.toLowerCase()}`} text={() => rawText(values)} />}
    >
      {plain.length > 0 && (
        <dl className={styles.list}>
          {plain.map(([key, value]) => (
            <div key={key} className={styles.entry}>
              <dt>{visibleText(key)}</dt>
              <dd>
                {value === '' ? (
                  <span className="faint">empty</span>
                ) : (
                  <ShownPart text={visibleText(rawText(value))}>{(part) => part}</ShownPart>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {branches.length > 0 && <JsonTree value={Object.fromEntries(branches)} label={title} />}
    </FoldedSection>
  );
}
