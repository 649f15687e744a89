import { type RefObject, useEffect, useState } from 'react';

/** A section of the page, or a heading in the output. */
export interface OutlineEntry {
  readonly element: HTMLElement;
  readonly title: string;
  /** The size of a section, such as `612 words` or `4 failed`; empty for headings. */
  readonly note: string;
  readonly isHeading: boolean;
}

/** The sections of a result, and where the view is among them. */
export interface Outline {
  readonly entries: readonly OutlineEntry[];
  /** The section in view. */
  readonly current: HTMLElement | undefined;
  /** True once the page has been longer than two windows. */
  readonly isLong: boolean;
}

/** Height of the slim bar and of a heading, in pixels. */
const barHeight = 80;
/** Maximum headings of a section. */
const mostHeadings = 40;

const none: Outline = { entries: [], current: undefined, isLong: false };

/** Reads the outline from the sections inside an element, and follows them and the scrolling. */
export function useOutline(main: RefObject<HTMLElement | null>): Outline {
  const [outline, setOutline] = useState(none);
  useEffect(() => {
    const { current: root } = main;
    if (root === null) return;
    let frame = 0;
    const read = () => {
      frame = 0;
      setOutline((before) => {
        const now = readOutline(root, before.isLong);
        return isSame(before, now) ? before : now;
      });
    };
    const later = () => {
      frame ||= requestAnimationFrame(read);
    };
    const observer = new MutationObserver(later);
    observer.observe(root.parentElement ?? root, {
      childList: true,
      subtree: true,
      attributeFilter: ['data-outline'],
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
  return outline;
}

/** Scrolls to an entry. */
export function jumpTo({ element }: OutlineEntry): void {
  const panel = element.closest('aside');
  if (panel === null) element.scrollIntoView({ block: 'start' });
  // The panel is always in sight: the page stays.
  else panel.scrollTop += element.getBoundingClientRect().top - panel.getBoundingClientRect().top;
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
  const above = sections.filter((section) => section.getBoundingClientRect().top <= barHeight);
  return above.at(-1) ?? sections[0];
}

function readOutline(root: HTMLElement, wasLong: boolean): Outline {
  const sections = sectionsIn(root);
  const current = sectionInView(sections);
  const entries = sections.flatMap((element): OutlineEntry[] => {
    return [entryOf(element), ...(element === current ? headingsIn(element) : [])];
  });
  const scores = root.parentElement?.querySelector<HTMLElement>('aside section[data-outline]');
  if (scores) entries.push(entryOf(scores));
  const isLong = wasLong || document.documentElement.scrollHeight > 2 * innerHeight;
  return { entries, current, isLong };
}

function entryOf(element: HTMLElement): OutlineEntry {
  const note = element.querySelector(':scope > header > span')?.textContent ?? '';
  return {
    element,
    title: element.querySelector('h2')?.textContent ?? '',
    note: element.dataset.outline ?? sizeIn(note),
    isHeading: false,
  };
}

/** The part of a note with a number: `485 words` of `Markdown, 485 words, no reference`. */
function sizeIn(note: string): string {
  return note.split(', ').find((part) => /\d/.test(part)) ?? '';
}

/** The headings of rendered Markdown, from two on. */
function headingsIn(section: HTMLElement): OutlineEntry[] {
  const headings = [...section.querySelectorAll<HTMLElement>('h3, h4')].slice(0, mostHeadings);
  if (headings.length < 2) return [];
  return headings.map((element) => ({
    element,
    title: element.textContent,
    note: '',
    isHeading: true,
  }));
}

function isSame(before: Outline, now: Outline): boolean {
  const isEqual = (entry: OutlineEntry, n: number) => {
    const other = before.entries[n];
    return (
      other?.element === entry.element && other.title === entry.title && other.note === entry.note
    );
  };
  return (
    before.current === now.current &&
    before.isLong === now.isLong &&
    before.entries.length === now.entries.length &&
    now.entries.every(isEqual)
  );
}
