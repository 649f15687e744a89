import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { usePageBox } from '../../browser/use-page-box.js';
import { IsNear } from '../values/near-markdown.js';
import { type Block, estimatedHeight } from './blocks.js';
import styles from './conversation.module.css';
import { type Turn, turnMark } from './turns.js';

interface NearBlocksProps {
  readonly blocks: readonly Block[];
  readonly turns: readonly Turn[];
  readonly draw: (block: Block) => ReactNode;
}

/** The blocks of a long conversation that are near the view, once the page is where it will be. */
export function NearBlocks(props: NearBlocksProps) {
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
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(count - 1, endIndex + overscan);
      const near = Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n);
      if (focused === undefined || focused >= count) return near;
      if (focused < from) return [focused, ...near];
      return focused > to ? [...near, focused] : near;
    },
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
              {/* Parsed at once: a block that changes its height moves those below it. */}
              <IsNear value={true}>{draw(block)}</IsNear>
            </div>
          )
        );
      })}
    </div>
  );
}
