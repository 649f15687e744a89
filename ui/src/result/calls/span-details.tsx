import type { Span } from '../../../../src/model/calls/model-call.js';
import { JsonTree } from '../values/json-tree.js';
import { rawText } from '../values/value-kind.js';
import { RawView } from '../values/value-section.js';
import { visibleText } from '../values/visible-text.js';
import styles from './call-details.module.css';

/** An opened tool or span: its input and its outcome. */
export function SpanDetails({ span }: { span: Span }) {
  const { kind, end, error, attributes = {} } = span;
  const isTool = kind === 'tool';
  return (
    <div className={styles.details}>
      {isTool ? (
        <div className={styles.pair}>
          <Part title="Arguments" value={span.arguments} />
          {error === undefined && end !== undefined && <Part title="Result" value={span.result} />}
        </div>
      ) : (
        <Part title="Attributes" value={attributes} />
      )}
      {error !== undefined && <p className={styles.remark}>{visibleText(error)}</p>}
      {end === undefined && (
        <p className={styles.remark}>It had not ended when the attempt was stored.</p>
      )}
    </div>
  );
}

function Part({ title, value }: { title: string; value: unknown }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {value === undefined ? (
        <p className="faint">None.</p>
      ) : typeof value === 'object' && value !== null ? (
        <JsonTree value={value} label={title} />
      ) : (
        <RawView text={rawText(value)} />
      )}
    </section>
  );
}
