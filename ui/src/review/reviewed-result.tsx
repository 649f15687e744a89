import { memo, useMemo } from 'react';
import { Link } from 'wouter';
import { Kbd } from '../components/controls/kbd.js';
import { EvaluationName } from '../components/names/evaluation-name.js';
import { defaultView } from '../dashboard/view-state.js';
import { resultAddress } from '../result/addresses.js';
import { readTraced } from '../result/conversation/read-messages.js';
import { OutputPair } from '../result/output/output-pair.js';
import { isShortValue, seen } from '../result/values/value-kind.js';
import { ValueSection } from '../result/values/value-section.js';
import { visibleText } from '../result/values/visible-text.js';
import type { ReviewItem } from './queries.js';
import styles from './reviewed-result.module.css';

/** A result to be labelled: nothing that hints at a verdict. */
export function ReviewedResult({
  run,
  item,
  isDrawn,
  isLabelled,
}: {
  run: string;
  item: ReviewItem;
  /** It was drawn at random. */
  isDrawn: boolean;
  /** All that is asked about it has a label. */
  isLabelled: boolean;
}) {
  return (
    <article className={styles.result} aria-label="Result">
      <header className={styles.head}>
        <h1>
          <EvaluationName name={visibleText(item.function)} />
          {item.trial !== undefined && <i>~{item.trial}</i>}
        </h1>
        <span className="quiet">{visibleText(item.dataset)}</span>
        {item.row_labels.map((label) => (
          <span key={label} className="faint">
            #{visibleText(label)}
          </span>
        ))}
        {!isDrawn && <span className="quiet">picked by hand, so in no estimate</span>}
        <span className="fill" />
        {isLabelled ? (
          <Link href={resultAddress(defaultView, run, item.index)}>
            Open <Kbd>↵</Kbd>
          </Link>
        ) : (
          <span className="faint" title="It shows what the judges said">
            opens once it is labelled
          </span>
        )}
      </header>
      <Values
        input={item.input}
        output={item.output}
        reference={item.reference}
        metadata={item.metadata}
        messages={item.messages}
      />
    </article>
  );
}

/** Its values; drawn once, because labels do not change them. */
const Values = memo(function Values({
  input: given,
  output,
  reference,
  metadata,
  messages: traced,
}: Pick<ReviewItem, 'input' | 'output' | 'reference' | 'metadata' | 'messages'>) {
  const found = useMemo(() => seen(given), [given]);
  const messages = useMemo(() => readTraced(traced), [traced]);
  const isTalk = found.kind === 'conversation';
  const isFirst = isTalk || (messages === undefined && isShortValue(found));
  const input = (
    <ValueSection
      title={isTalk ? 'Conversation' : 'Input'}
      kind="Reviewed input"
      value={given}
      found={found}
    />
  );
  return (
    <>
      {messages && Array.isArray(traced) && (
        <ValueSection
          title="Conversation"
          kind="Reviewed conversation"
          value={traced}
          found={{ kind: 'conversation', messages, count: traced.length }}
          output={output}
        />
      )}
      {isFirst && input}
      <div className={styles.pair}>
        <OutputPair
          result={{ output, reference, error: null, status: 'completed' }}
          base={undefined}
          onRun={undefined}
        />
      </div>
      {!isFirst && input}
      {Object.keys(metadata).length > 0 && (
        <ValueSection title="Metadata" kind="Reviewed metadata" value={metadata} />
      )}
    </>
  );
});
