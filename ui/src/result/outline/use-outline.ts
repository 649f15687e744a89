import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** A section of the page, a heading in the output, or a turn of a conversation. */
interface OutlineEntry {
  readonly element: HTMLElement;
  readonly kind: 'section' | 'heading' | 'turn';
  readonly title: string;
  /** The size of a section, such as `612 words`, or `4 failed`; empty for headings. */
  readonly note: string;
  /** The reader is at it. */
  readonly isCurrent: boolean;
}

/** The sections of a result, and where the view is among them. */
export interface Outline {
  readonly entries: readonly OutlineEntry[];
  /** True once the page has been longer than two windows. */
  readonly isLong: boolean;
  /** Scrolls to an entry. */
  readonly goTo: (entry: OutlineEntry) => void;
}

/** The entry that was gone to last, and how far the page was scrolled then: the reader is at it until the page is scrolled on. */
interface Goal {
  readonly element: HTMLElement;
  readonly y: number;
}

/** Height of the slim bar and of a heading, and some more, in pixels. */
const barHeight = 84;
/** Maximum headings of a section. */
const mostHeadings = 40;

const none = { entries: [], isLong: false };

/** Reads the outline from the sections inside an element, and follows them and the scrolling. */
export function useOutline(main: RefObject<HTMLElement | null>): Outline {
  const [outline, setOutline] = useState<Omit<Outline, 'goTo'>>(none);
  const goal = useRef<Goal>(undefined);
  useEffect(() => {
    const { current: root } = main;
    if (root === null) return;
    let frame = 0;
    const read = () => {
      frame = 0;
      if (goal.current && Math.abs(goal.current.y - scrollY) > 1) goal.current = undefined;
      setOutline((before) => {
        const entries = readEntries(root, goal.current?.element);
        const isLong = before.isLong || document.documentElement.scrollHeight > 2 * innerHeight;
        return before.isLong === isLong && isSame(before.entries, entries)
          ? before
          : { entries, isLong };
      });
    };
    const later = () => {
      frame ||= requestAnimationFrame(read);
    };
    const observer = new MutationObserver(later);
    observer.observe(root.parentElement ?? root, {
      childList: true,
      subtree: true,
      attributeFilter: ['data-outline', 'data-turn', 'data-failed'],
    });
    addEventListener('scroll', later, { passive: true });
    addEventListener('resize', later);
    later();
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      removeEventListener('scroll', later);
      removeEventListener('resize', later);
    };
  }, [main]);
  const goTo = useCallback(({ element }: OutlineEntry) => {
    const panel = element.closest('aside');
    if (panel === null) {
      scrollToStart(element, () => {
        goal.current = { element, y: scrollY };
      });
    }
    // The panel is always in sight: the page stays.
    else panel.scrollTop += element.getBoundingClientRect().top - panel.getBoundingClientRect().top;
  }, []);
  return { ...outline, goTo };
}

/** Frames without a move after which an element is where it stays, and maximum frames. */
const stillFrames = 4;
const mostFrames = 30;

/** Scrolls to an element, again while what comes into sight is measured and moves it in the page. `onScroll` is called each time. */
function scrollToStart(element: HTMLElement, onScroll: () => void): void {
  let place = Number.NaN;
  let still = 0;
  const step = (left: number) => {
    if (!element.isConnected || still === stillFrames || left === 0) return;
    const now = element.getBoundingClientRect().top + scrollY;
    still = Math.abs(now - place) < 1 ? still + 1 : 0;
    if (still === 0) {
      element.scrollIntoView({ block: 'start' });
      onScroll();
    }
    place = now;
    requestAnimationFrame(() => step(left - 1));
  };
  step(mostFrames);
}

/** The sections inside an element, in order. */
export function sectionsIn(root: ParentNode): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('section[aria-labelledby]')].filter(
    (section) => section.parentElement?.closest('section[aria-labelledby]') === null,
  );
}

/** The last section whose top is above the view, or at it. */
export function sectionInView(sections: readonly HTMLElement[]): HTMLElement | undefined {
  // The last section may be too short to reach the top.
  const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  if (isAtEnd && scrollY > 0) return sections.at(-1);
  return lastAbove(sections) ?? sections[0];
}

function lastAbove(elements: readonly HTMLElement[]): HTMLElement | undefined {
  return elements.findLast((element) => element.getBoundingClientRect().top <= barHeight);
}

/** `goal`: the reader is at this element. */
function readEntries(root: HTMLElement, goal: HTMLElement | undefined): readonly OutlineEntry[] {
  const sections = sectionsIn(root);
  const current =
    (goal && sections.find((section) => section.contains(goal))) ?? sectionInView(sections);
  const entries = sections.flatMap((element): readonly OutlineEntry[] => {
    if (element !== current) return [entryOf(element)];
    return [{ ...entryOf(element), isCurrent: true }, ...partsOf(element, goal)];
  });
  const scores = root.parentElement?.querySelector<HTMLElement>('aside section[data-outline]');
  return scores ? [...entries, entryOf(scores)] : entries;
}

function entryOf(element: HTMLElement): OutlineEntry {
  const note = element.querySelector(':scope > header > span')?.textContent ?? '';
  return {
    element,
    kind: 'section',
    title: element.querySelector('h2')?.textContent ?? '',
    note: element.dataset.outline ?? sizeIn(note),
    isCurrent: false,
  };
}

/** The part of a note with a number: `485 words` of `Markdown, 485 words, no reference`. */
function sizeIn(note: string): string {
  return note.split(', ').find((part) => /\d/.test(part)) ?? '';
}

/** The turns of a conversation, or the headings of rendered Markdown, from two on. */
function partsOf(section: HTMLElement, goal: HTMLElement | undefined): readonly OutlineEntry[] {
  const turns = [...section.querySelectorAll<HTMLElement>('[data-turn]')];
  if (turns.length > 1) {
    const current = goal && turns.includes(goal) ? goal : lastAbove(turns);
    return turns.map((element) => ({
      element,
      kind: 'turn',
      title: element.dataset.turn ?? '',
      note: element.dataset.failed === '0' ? '' : `${element.dataset.failed} failed`,
      isCurrent: element === current,
    }));
  }
  const headings = [...section.querySelectorAll<HTMLElement>('h3, h4')].slice(0, mostHeadings);
  if (headings.length < 2) return [];
  return headings.map((element) => ({
    element,
    kind: 'heading',
    title: element.textContent,
    note: '',
    isCurrent: false,
  }));
}

function isSame(before: readonly OutlineEntry[], now: readonly OutlineEntry[]): boolean {
  return (
    before.length === now.length &&
    now.every((entry, n) => {
      const other = before[n];
      return (
        other?.element === entry.element &&
        other.title === entry.title &&
        other.note === entry.note &&
        other.isCurrent === entry.isCurrent
      );
    })
  );
}
