import { useEffect, useRef, useState } from 'react';
import { useHeldKeys } from '../app/held-keys.js';
import type { LabelToSend, LabelVerdict, OutboxState } from './outbox.js';
import {
  type QueueEntry,
  type ReviewItem,
  type ReviewQueue,
  type ReviewScope,
  useOutbox,
  useReadAhead,
  useReviewItem,
} from './queries.js';

/** The verdicts of this reviewer for an entry, with those that are on their way. */
function verdictsOf(
  entry: QueueEntry,
  { labels }: Pick<OutboxState, 'labels'>,
): Readonly<Record<string, LabelVerdict>> {
  const waiting = labels.filter((one) => one.index === entry.index && one.state === 'waiting');
  const all: [string, LabelVerdict | null][] = [
    ...Object.entries(entry.mine),
    ...waiting.map(({ key, verdict }): [string, LabelVerdict | null] => [key, verdict]),
  ];
  return Object.fromEntries(
    Object.entries(Object.fromEntries(all)).filter(
      (one): one is [string, LabelVerdict] => one[1] !== null,
    ),
  );
}

/** The position of the next entry after one, or from the beginning, that is not labelled; -1 if all are. */
function nextOpen(
  queue: readonly QueueEntry[],
  after: number,
  isOpen: (entry: QueueEntry) => boolean,
): number {
  const later = queue.findIndex((entry, at) => at > after && isOpen(entry));
  return later >= 0 ? later : queue.findIndex((entry, at) => at !== after && isOpen(entry));
}

/** Where a reviewer is in the queue. `first`: index of the result to begin with. */
function usePlace(
  entries: readonly QueueEntry[],
  openKeys: (entry: QueueEntry) => readonly string[],
  first: number | undefined,
) {
  const isOpen = (entry: QueueEntry) => openKeys(entry).length > 0;
  // Without one, it is the first that is open.
  const [current, setCurrent] = useState(first);
  const [chosen, setChosen] = useState<string>();
  const given = entries.findIndex(({ index }) => index === current);
  const open = given >= 0 ? given : nextOpen(entries, -1, isOpen);
  // Behind the last one when all are labelled.
  const at = open < 0 ? entries.length : open;
  const entry = entries[at];
  const next = nextOpen(entries, at, isOpen);
  const goTo = (position: number, key?: string) => {
    setCurrent(entries[position]?.index);
    setChosen(key);
  };
  return {
    at,
    entry,
    key: entry && (chosen ?? openKeys(entry)[0] ?? entry.keys[0]),
    next,
    afterNext: nextOpen(entries, next, isOpen),
    goTo,
    focus: setChosen,
    step: (by: number) => goTo(Math.max(0, Math.min(entries.length - 1, at + by))),
  };
}

/** Walks through a queue and labels it. */
export function useLabelling(review: ReviewScope, { queue: entries }: ReviewQueue, first?: number) {
  const [outbox, sent] = useOutbox(review);
  const openKeys = (one: QueueEntry) => {
    const mine = verdictsOf(one, sent);
    return one.keys.filter((key) => mine[key] === undefined);
  };
  const place = usePlace(entries, openKeys, first);
  const { entry, key, next, goTo } = place;
  const item = useReviewItem(review, entry?.index);
  // The next one is drawn ahead, the one after it only read.
  const isRead = item.data !== undefined;
  const { data: nextItem } = useReviewItem(review, isRead ? entries[next]?.index : undefined);
  useReadAhead(review, nextItem && entries[place.afterNext]?.index);
  const shown = item.data?.index === entry?.index ? item.data : undefined;
  useHeldKeys(entry !== undefined && shown === undefined && item.error === null);
  const notes = useNotes(entry, shown, sent);
  const give = (keys: readonly string[], verdict: LabelVerdict, noteOf = notes.of) => {
    if (entry === undefined) return;
    const { index } = entry;
    outbox.give(
      keys.map((one) => ({
        label: { index, key: one, verdict, note: noteOf(one) },
        before: labelBefore(index, one, shown, sent),
      })),
    );
  };
  return {
    ...place,
    outbox,
    sent,
    entries,
    item,
    shown,
    nextItem,
    verdicts: entry ? verdictsOf(entry, sent) : {},
    done: entries.filter(isLabelled).length,
    label: (verdict: LabelVerdict) => {
      if (entry === undefined || key === undefined || shown === undefined) return;
      give([key], verdict);
      const rest = openKeys(entry).filter((one) => one !== key);
      if (rest.length > 0) place.focus(rest[0]);
      else goTo(next);
    },
    skip: () => {
      if (entry === undefined) return;
      const open = openKeys(entry);
      if (open.length > 0) give(open, 'skipped', () => '');
      goTo(next);
    },
    undo: () => {
      const label = outbox.undo();
      if (label === undefined) return;
      goTo(
        entries.findIndex(({ index }) => index === label.index),
        label.key,
      );
    },
    noteOf: notes.of,
    keepNote: notes.keep,
    /** Saves the note of a label that has been given; that of another one waits for its label. */
    saveNote: (on: string) => {
      const before = entry && labelBefore(entry.index, on, shown, sent);
      if (!before?.verdict || before.note === notes.of(on)) return;
      give([on], before.verdict);
    },
  };
}

/** Notes while they are typed, by score of an entry; without one, that of its label. */
function useNotes(entry: QueueEntry | undefined, shown: ReviewItem | undefined, sent: OutboxState) {
  const typed = useRef(new Map<string, string>());
  const nameOf = (key: string) => `${entry?.index} ${key}`;
  return {
    of: (key: string): string =>
      typed.current.get(nameOf(key)) ??
      (entry && labelBefore(entry.index, key, shown, sent)?.note) ??
      '',
    keep: (key: string, text: string) => {
      typed.current.set(nameOf(key), text);
    },
  };
}

export type Labelling = ReturnType<typeof useLabelling>;

/** True if all labels of an entry are saved: nothing counts as done that is not. */
export const isLabelled = ({ keys, mine }: QueueEntry): boolean =>
  keys.every((key) => mine[key] !== undefined);

/** The label as it is, saved or on its way; `undefined` for none. */
function labelBefore(
  index: number,
  key: string,
  item: ReviewItem | undefined,
  { labels }: OutboxState,
): LabelToSend | undefined {
  const isIt = (one: LabelToSend) => one.index === index && one.key === key;
  const waiting = labels.findLast((one) => isIt(one) && one.state === 'waiting');
  if (waiting !== undefined) return waiting.verdict === null ? undefined : waiting;
  const saved = item?.index === index ? item.labels[key] : undefined;
  if (saved === undefined) return undefined;
  return { index, key, verdict: saved.verdict, note: saved.note ?? '' };
}

/** Asks before the page is left while labels are not saved. */
export function useUnsavedWarning({ labels }: OutboxState): void {
  const isWaiting = labels.some(({ state }) => state === 'waiting');
  useEffect(() => {
    if (!isWaiting) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isWaiting]);
}
