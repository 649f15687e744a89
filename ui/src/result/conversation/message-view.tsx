import type {
  CallPart,
  CitedSource,
  MessagePart,
} from '../../../../src/model/calls/message-parts.js';
import { classNames } from '../../components/class-names.js';
import { count, seconds } from '../../components/figures/figures.js';
import { FilterLink } from '../../dashboard/filters/filter-link.js';
import { JsonTree } from '../values/json-tree.js';
import { Markdown, WebLink } from '../values/markdown.js';
import { webUrl } from '../values/safe-url.js';
import { ShownPart } from '../values/shown-part.js';
import { firstLines, linesOf } from '../values/text-lines.js';
import { isBranch } from '../values/tree-shape.js';
import { isMarkdown, jsonIn, rawText } from '../values/value-kind.js';
import valueStyles from '../values/values.module.css';
import { visibleText } from '../values/visible-text.js';
import styles from './conversation.module.css';
import { isFromUser, type Message } from './read-messages.js';

/** One message: who, what, and when. */
export function MessageView({
  message: { who, parts, at },
  output,
  isWhole,
  onWhole,
}: {
  message: Message;
  output: unknown;
  /** Long texts are not cut. */
  isWhole: boolean;
  onWhole: () => void;
}) {
  return (
    <>
      <span className={styles.who}>{visibleText(who)}</span>
      <div className={classNames(styles.say, lookOf({ who, parts }))}>
        {parts.map((part, n) => (
          // Parts have no ids, and never move.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <PartView key={n} part={part} isWhole={isWhole} onWhole={onWhole} />
        ))}
        {parts.length === 0 && <span className="faint">No content.</span>}
        {isSame(parts, output) && <p className="faint">Same as the output.</p>}
      </div>
      <span className={styles.at}>{at !== undefined && seconds(Math.max(0, at))}</span>
    </>
  );
}

function lookOf({ who, parts }: Pick<Message, 'who' | 'parts'>): string | undefined {
  if (isFromUser({ who })) return styles.user;
  if (parts[0]?.kind === 'thinking') return styles.thinking;
  const isTool = parts.some(({ kind }) => kind === 'call') || who === 'tool';
  return isTool ? styles.tool : undefined;
}

function isSame(parts: readonly MessagePart[], output: unknown): boolean {
  const [part] = parts;
  return parts.length === 1 && part?.kind === 'text' && part.text === output;
}

type Cut = { readonly isWhole: boolean; readonly onWhole: () => void };

function PartView({ part, ...cut }: { part: MessagePart } & Cut) {
  switch (part.kind) {
    case 'text':
      return (
        <>
          <Said text={part.text} {...cut} />
          {part.sources && <Sources sources={part.sources} />}
        </>
      );
    case 'thinking':
      return part.text === '' ? (
        <span className="faint">
          {part.isEncrypted
            ? 'Encrypted: only the provider can read it.'
            : 'The provider does not show it.'}
        </span>
      ) : (
        <Said text={part.text} {...cut} />
      );
    case 'image':
      return <img className={valueStyles.image} src={part.url} alt="Part of the message" />;
    case 'sources':
      return <Sources sources={part.sources} />;
    case 'value':
      return <Inline value={part.value} label="Value" className={undefined} />;
    case 'call':
      return <CallView call={part} />;
  }
}

/** A text, rendered as Markdown or JSON if it is; long texts are cut. */
function Said({ text, isWhole, onWhole }: { text: string } & Cut) {
  const json = jsonIn(text);
  if (json !== undefined) return <JsonTree value={json} label="Message" />;
  const cut = isWhole ? undefined : firstLines(text);
  const shown = visibleText(cut ?? text);
  return (
    <>
      {isMarkdown(text) ? <Markdown text={shown} /> : <p className={styles.text}>{shown}</p>}
      {cut !== undefined && (
        <button type="button" className={classNames('link', valueStyles.more)} onClick={onWhole}>
          Show all {count(linesOf(text))} lines
        </button>
      )}
    </>
  );
}

/** A tool call with its arguments and answer. */
export function CallView({
  call: { name, given, answer, isHosted, isNotJson },
}: {
  call: CallPart;
}) {
  return (
    <div className={styles.call}>
      <b>
        <FilterLink by="tool" value={name}>
          {visibleText(name)}
        </FilterLink>
      </b>{' '}
      {isHosted && <span className={styles.hosted}>run by the provider</span>}{' '}
      {isNotJson && <span className={styles.hosted}>arguments are no JSON</span>}{' '}
      {given !== undefined && <Inline value={given} label="Arguments" className={undefined} />}
      {answer !== undefined && <Inline value={answer} label="Answer" className={styles.answer} />}
    </div>
  );
}

/** Characters of JSON that are one line; more are a tree. */
const lineLength = 160;

function Inline({
  value,
  label,
  className,
}: {
  value: unknown;
  label: string;
  className: string | undefined;
}) {
  const text = isBranch(value) ? spaced(value) : rawText(value);
  if (isBranch(value) && text.length > lineLength) return <JsonTree value={value} label={label} />;
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

/** The sources of a text. */
function Sources({ sources }: { sources: readonly CitedSource[] }) {
  return (
    <ul className={styles.sources} aria-label="Sources">
      {sources.map(({ title, url, quote }) => {
        const name = title ?? url ?? 'source';
        return (
          <li key={`${title} ${url} ${quote}`}>
            <WebLink href={url}>{visibleText(name)}</WebLink>
            {title !== undefined && webUrl(url) !== undefined && (
              <span className="faint"> {visibleText(hostOf(url))}</span>
            )}
            {quote !== undefined && (
              <q>
                <ShownPart text={visibleText(quote)}>{(part) => part}</ShownPart>
              </q>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function hostOf(url = ''): string {
  return url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/[/?#].*$/, '');
}
