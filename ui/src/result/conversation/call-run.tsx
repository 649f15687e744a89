import { counted } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import { visibleText } from '../values/visible-text.js';
import { callNames, callsOf, hasFailed } from './blocks.js';
import styles from './conversation.module.css';
import type { Message } from './message.js';
import { CallView } from './message-view.js';

/** Calls in a row on one line that opens. */
export function CallRun({
  messages,
  isOpen,
  onToggle,
}: {
  messages: readonly Message[];
  isOpen: boolean;
  onToggle: () => void;
}) {
  const calls = callsOf(messages);
  const failed = calls.filter(hasFailed).length;
  return (
    <>
      <span className={styles.who}>calls</span>
      <div className={`${styles.say} ${styles.tool}`}>
        <button type="button" className={styles.run} aria-expanded={isOpen} onClick={onToggle}>
          <Icon name={isOpen ? 'down' : 'right'} small />
          <b>{counted(calls.length, 'call')}</b>
          <span className="cut">{visibleText(callNames(calls))}</span>
          {failed > 0 && <em>{failed} answered with a failure</em>}
        </button>
        {isOpen &&
          calls.map((call, n) => (
            // Calls never move.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <CallView key={n} call={call} />
          ))}
      </div>
      <span className={styles.at} />
    </>
  );
}
