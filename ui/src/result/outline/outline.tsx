import { type RefObject, useEffect, useRef } from 'react';
import { useShortcut } from '../../app/shortcuts.js';
import { useMedia } from '../../browser/use-media.js';
import { classNames } from '../../components/class-names.js';
import styles from './outline.module.css';
import { sectionInView, sectionsIn, useOutline } from './use-outline.js';

/** The sections of a long result beside them: a click jumps to one. Keys jump to the next and the previous one. */
export function OutlinePart({ values }: { values: RefObject<HTMLElement | null> }) {
  const isWide = useMedia('(min-width: 1241px)');
  useShortcut('sections', ({ key }) => {
    if (values.current === null) return;
    const sections = sectionsIn(values.current);
    const now = sectionInView(sections);
    const at = now === undefined ? 0 : sections.indexOf(now);
    const step = key.toLowerCase() === 'j' ? 1 : -1;
    sections[Math.max(0, Math.min(sections.length - 1, at + step))]?.scrollIntoView();
  });
  return isWide && <Outline values={values} />;
}

function Outline({ values }: { values: RefObject<HTMLElement | null> }) {
  const { entries, isLong, goTo } = useOutline(values);
  const nav = useRef<HTMLElement>(null);
  const at = entries.findLastIndex(({ isCurrent }) => isCurrent);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the outline follows what is current
  useEffect(() => keepInSight(nav.current), [at]);
  if (!isLong || entries.length < 2) return null;
  return (
    <nav ref={nav} className={styles.outline} aria-label="Sections">
      <ul>
        {entries.map((entry, n) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: two sections may have the same title
            key={`${n} ${entry.title}`}
            className={styles[entry.kind]}
          >
            <button
              type="button"
              aria-current={entry.isCurrent ? 'location' : undefined}
              onClick={() => goTo(entry)}
            >
              <span className="cut">{entry.title}</span>
              {entry.note !== '' && (
                <span className={classNames('cut', styles.note)}>{entry.note}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Scrolls the outline, not the page, so that the current turn can be seen, or the section. */
function keepInSight(nav: HTMLElement | null): void {
  const current = [...(nav?.querySelectorAll('[aria-current]') ?? [])].at(-1);
  if (nav === null || current === undefined) return;
  const [box, own] = [nav.getBoundingClientRect(), current.getBoundingClientRect()];
  const end = Math.min(box.bottom, innerHeight);
  nav.scrollTop += Math.min(0, own.top - box.top) + Math.max(0, own.bottom - end);
}
