import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { usePageBox } from '../../browser/use-page-box.js';
import { classNames } from '../../components/class-names.js';
import { counted } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import { withActiveLine } from '../../lists/row-focus.js';
import { visibleText } from '../values/visible-text.js';
import {
  type Block,
  blocksOf,
  callNames,
  callsOf,
  estimatedHeight,
  hasFailed,
  type Turn,
  turnMark,
  turnsOf,
} from './blocks.js';
import styles from './conversation.module.css';
import { CallView, MessageView } from './message-view.js';
import type { Message } from './read-messages.js';

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

/** Calls in a row on one line that opens. */
function CallRun({
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

interface NearBlocksProps {
  readonly blocks: readonly Block[];
  readonly turns: readonly Turn[];
  readonly draw: (block: Block) => ReactNode;
}

/** The blocks of a long conversation that are near the view, once the page is where it will be. */
function NearBlocks(props: NearBlocksProps) {
  const [isPlaced, setPlaced] = useState(false);
  useEffect(() => setPlaced(true), []);
  if (isPlaced) return <PlacedBlocks {...props} />;
  const height = props.blocks.reduce((sum, block) => sum + estimatedHeight(block), 0);
  return <div style={{ height }} />;
}

/** Blocks near the view, the one with the focus, and a mark where each turn begins. */
function PlacedBlocks({ blocks, turns, draw }: NearBlocksProps) {
  const body = useRef<HTMLDivElement>(null);
  const { top } = usePageBox(body);
  const [focused, setFocused] = useState<number>();
  const list = useWindowVirtualizer({
    count: blocks.length,
    estimateSize: (index) => estimatedHeight(blocks[index] as Block),
    overscan: 2,
    scrollMargin: top,
    getItemKey: (index) => blocks[index]?.from ?? index,
    rangeExtractor: (range) =>
      focused === undefined ? defaultRangeExtractor(range) : withActiveLine(range, focused),
  });
  return (
    <div ref={body} className={styles.near} style={{ height: list.getTotalSize() }}>
      {turns.map((turn) => (
        <span
          key={turn.block}
          className={styles.mark}
          style={{ top: (list.measurementsCache[turn.block]?.start ?? top) - top }}
          {...turnMark(turn)}
        />
      ))}
      {list.getVirtualItems().map(({ index, start, key }) => {
        const block = blocks[index];
        return (
          block && (
            // biome-ignore lint/a11y/noStaticElementInteractions: it only sees where the focus is
            <div
              key={key}
              ref={list.measureElement}
              data-index={index}
              className={styles.message}
              style={{ transform: `translateY(${start - top}px)` }}
              onFocus={() => setFocused(index)}
              onBlur={() => setFocused(undefined)}
            >
              {draw(block)}
            </div>
          )
        );
      })}
    </div>
  );
}
