import { Fragment } from 'react';
import { classNames } from '../../components/class-names.js';
import { seconds } from '../../components/figures/figures.js';
import { Markdown } from '../values/markdown.js';
import { ShownPart, useShownItems } from '../values/shown-part.js';
import { isMarkdown, rawText } from '../values/value-kind.js';
import valueStyles from '../values/values.module.css';
import { visibleText } from '../values/visible-text.js';
import styles from './conversation.module.css';
import type { Message, Part } from './message.js';

/** Messages shown initially. */
const shownAtFirst = 60;

/** A list of messages with role, content and time. `output`: a message equal to it says so. */
export function Conversation({
  messages,
  output,
  isTight = false,
}: {
  messages: readonly Message[];
  output?: unknown;
  /** In a part of the page. */
  isTight?: boolean;
}) {
  const [shown, showAll] = useShownItems(messages, shownAtFirst, 'messages');
  return (
    <div className={classNames(styles.conversation, isTight && styles.tight)}>
      {shown.map(({ who, parts, at }, n) => (
        // Messages have no ids, and never move.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Fragment key={n}>
          <span className={styles.who}>{visibleText(who)}</span>
          <div className={classNames(styles.say, lookOf(who, parts))}>
            {parts.map((part, k) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <PartView key={k} part={part} />
            ))}
            {parts.length === 0 && <span className="faint">No content.</span>}
            {isSame(parts, output) && <p className="faint">Same as the output.</p>}
          </div>
          <span className={styles.at}>{at !== undefined && seconds(Math.max(0, at))}</span>
        </Fragment>
      ))}
      {showAll}
    </div>
  );
}

function lookOf(who: string, parts: readonly Part[]): string | undefined {
  if (who === 'user' || who === 'human') return styles.user;
  const isTool = parts.some(({ kind }) => kind === 'call') || who === 'tool';
  return isTool ? styles.tool : undefined;
}

function isSame(parts: readonly Part[], output: unknown): boolean {
  const [part] = parts;
  return parts.length === 1 && part?.kind === 'text' && part.text === output;
}

function PartView({ part }: { part: Part }) {
  switch (part.kind) {
    case 'text':
      return (
        <ShownPart text={visibleText(part.text)}>
          {(text) =>
            isMarkdown(text) ? <Markdown text={text} /> : <p className={styles.text}>{text}</p>
          }
        </ShownPart>
      );
    case 'image':
      return <img className={valueStyles.image} src={part.url} alt="Part of the message" />;
    case 'value':
      return <Inline value={part.value} className={undefined} />;
    case 'call':
      return (
        <div className={styles.call}>
          <b>{visibleText(part.name)}</b>{' '}
          {part.given !== undefined && <Inline value={part.given} className={undefined} />}
          {part.answer !== undefined && <Inline value={part.answer} className={styles.answer} />}
        </div>
      );
  }
}

function Inline({ value, className }: { value: unknown; className: string | undefined }) {
  const text = typeof value === 'object' ? spaced(value) : rawText(value);
  return (
    <ShownPart text={visibleText(text)}>
      {(part) => <span className={classNames(styles.value, className)}>{part}</span>}
    </ShownPart>
  );
}

/** JSON on one line, with a space after each colon and comma. */
function spaced(value: unknown): string {
  const lines = JSON.stringify(value, null, 1);
  return lines.replace(/([[{])\n\s*|\n\s*(?=[\]}])/g, '$1').replace(/\n\s*/g, ' ');
}
