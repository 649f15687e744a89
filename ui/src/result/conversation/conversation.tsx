import { useMemo, useState } from 'react';
import { classNames } from '../../components/class-names.js';
import { type Block, blocksOf } from './blocks.js';
import { CallRun } from './call-run.js';
import styles from './conversation.module.css';
import type { Message } from './message.js';
import { MessageView } from './message-view.js';
import { NearBlocks } from './near-blocks.js';
import { turnMark, turnsOf } from './turns.js';

/** With more messages, only those near the view are in the page. */
const mostAtOnce = 60;

/** A list of messages with role, content and time. `output`: a message equal to it says so. */
export function Conversation({
  messages,
  output,
  isTight = false,
}: {
  messages: readonly Message[];
  output?: unknown;
  /** In a part of the page: without turns in the outline. */
  isTight?: boolean;
}) {
  const blocks = useMemo(() => blocksOf(messages, !isTight), [messages, isTight]);
  const turns = useMemo(() => (isTight ? [] : turnsOf(blocks)), [blocks, isTight]);
  const [openRun, setOpenRun] = useState<number>();
  const [whole, setWhole] = useState<ReadonlySet<number>>(new Set());
  const hasTimes = messages.some(({ at }) => at !== undefined);
  const draw = ({ from, messages: its }: Block) => {
    const [only] = its;
    if (only === undefined) return null;
    return its.length > 1 ? (
      <CallRun
        messages={its}
        isOpen={openRun === from}
        onToggle={() => setOpenRun(openRun === from ? undefined : from)}
      />
    ) : (
      <MessageView
        message={only}
        output={output}
        isWhole={whole.has(from)}
        onWhole={() => setWhole(new Set([...whole, from]))}
      />
    );
  };
  return (
    <div
      className={classNames(
        styles.conversation,
        isTight && styles.tight,
        hasTimes && styles.hasTimes,
      )}
    >
      {messages.length > mostAtOnce ? (
        <NearBlocks blocks={blocks} turns={turns} draw={draw} />
      ) : (
        blocks.map((block, n) => (
          <div
            key={block.from}
            className={styles.message}
            {...turnMark(turns.find((turn) => turn.block === n))}
          >
            {draw(block)}
          </div>
        ))
      )}
    </div>
  );
}
