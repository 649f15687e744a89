import { type RefObject, useEffect, useState } from 'react';
import type { ResultPage } from '../api/schema.js';
import { flipTheme } from '../app/theme.js';
import { useMedia } from '../browser/use-media.js';
import { BackLink, Bar, BarSpace, BarTools, Slash } from '../components/controls/bar.js';
import { Button, buttonClass, IconButton } from '../components/controls/button.js';
import { CopyButton, copyText } from '../components/controls/copy-button.js';
import { IconMenu, Menu, MenuItem, MenuLine } from '../components/controls/menu.js';
import { count } from '../components/figures/figures.js';
import { Icon } from '../components/icons/icon.js';
import { StatusIcon } from '../components/icons/status-icon.js';
import { nameParts } from '../components/names/evaluation-name.js';
import { MiddleCut } from '../components/names/middle-cut.js';
import { standingFrom } from './attempts.js';
import { caseText } from './case-text.js';
import type { Walk, WayBack } from './navigation.js';
import { useOutline } from './outline/use-outline.js';
import { ResultActions, type ResultActionsState } from './result-actions.js';
import styles from './result-bar.module.css';
import { TrialMarks } from './result-head.js';
import { FailingCount } from './scores/score-sheet.js';
import { webUrl } from './values/safe-url.js';
import { visibleText } from './values/visible-text.js';

/** The top bar of a result: its run, navigation, and actions. */
export function ResultBar({
  page,
  walk,
  actions,
}: {
  page: ResultPage;
  walk: Walk;
  actions: ResultActionsState;
}) {
  const { back } = walk;
  const trace = webUrl(page.result.result.trace_data.trace_url);
  const isNarrow = useMedia('(max-width: 640px)');
  if (isNarrow) {
    return (
      <Bar className={styles.narrow}>
        <BackLink href={back.href} isIcon>
          {back.text}
        </BackLink>
        <BarSpace />
        <Steps walk={walk} />
        <BarSpace />
        <IconMenu icon="more" label="More">
          {trace !== undefined && (
            <MenuItem onClick={() => open(trace, '_blank', 'noopener,noreferrer')}>Trace</MenuItem>
          )}
          <MenuItem onClick={() => void copyText(location.href, 'The link')}>Copy link</MenuItem>
          <MenuItem onClick={() => void copyText(page.result.id, 'The id')}>Copy id</MenuItem>
          <MenuItem
            onClick={() =>
              void copyText(caseText(page.result.function, page.result.result), 'The case')
            }
          >
            Copy case as TypeScript
          </MenuItem>
          <MenuItem onClick={flipTheme}>Light or dark theme</MenuItem>
        </IconMenu>
        <ResultActions actions={actions} isNarrow />
      </Bar>
    );
  }
  return (
    <Bar className={styles.top}>
      <BackLink href={back.href}>{back.text}</BackLink>
      <Slash className={styles.slash} />
      <span className={styles.session}>{page.session_name}</span>
      <Slash className={styles.slash} />
      <span className={styles.run}>
        <MiddleCut text={page.run_name} />
      </span>
      <BarSpace />
      <Steps walk={walk} />
      <BarSpace />
      {trace !== undefined && (
        <a
          href={trace}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass({ look: 'ghost' })}
          aria-label="Trace"
        >
          <Icon name="ext" />
          <span className={styles.word}>Trace</span>
        </a>
      )}
      <BarTools>
        <CopyButton label="Copy link" icon="chain" text={() => location.href} />
        <IconButton icon="theme" label="Theme" onClick={flipTheme} />
      </BarTools>
      <ResultActions actions={actions} />
    </Bar>
  );
}

/** The top bar without a result. */
export function EmptyBar({ back }: { back: WayBack }) {
  return (
    <Bar className={styles.top}>
      <BackLink href={back.href}>{back.text}</BackLink>
      <BarSpace />
      <IconButton icon="theme" label="Theme" onClick={flipTheme} />
    </Bar>
  );
}

/** Where the result is among the others, and the buttons that lead to its neighbours. */
function Steps({
  walk: { position, count: all, word, isRead, previous, next, go },
}: {
  walk: Walk;
}) {
  return (
    <>
      {isRead && (
        <span className={styles.position}>
          {position === undefined ? (
            <>
              not among the <b>{count(all)}</b> {word}
            </>
          ) : (
            <>
              <b>{count(position + 1)}</b> of <b>{count(all)}</b>{' '}
              <span className={styles.word}>{word}</span>
            </>
          )}
        </span>
      )}
      <span className={styles.steps}>
        <IconButton
          icon="up"
          label="Previous, k"
          disabled={previous === undefined}
          onClick={() => go(previous)}
        />
        <IconButton
          icon="arrowDown"
          label="Next, j"
          disabled={next === undefined}
          onClick={() => go(next)}
        />
      </span>
    </>
  );
}

/** Verdict, name, steps and actions, at the top of the window once the page is scrolled. */
export function SlimBar({
  page,
  values,
  walk,
  actions,
  onScores,
}: {
  page: ResultPage;
  /** Holds the sections. */
  values: RefObject<HTMLElement | null>;
  walk: Walk;
  actions: ResultActionsState;
  onScores: () => void;
}) {
  const isShown = useScrolled();
  const isWide = useMedia('(min-width: 1241px)');
  const isNarrow = useMedia('(max-width: 640px)');
  if (!isShown) return null;
  const { function: name, trial, result } = page.result;
  const [evaluation, testCase] = nameParts(visibleText(name));
  const failing = result.scores.filter(({ passed }) => passed === false).length;
  return (
    <section className={styles.slim} aria-label="This result">
      <StatusIcon standing={standingFrom(result)} />
      <span className={styles.name}>
        <MiddleCut
          text={evaluation}
          rest={`${testCase}${trial === undefined ? '' : `~${trial}`}`}
        />
      </span>
      {trial !== undefined && <TrialMarks page={page} trial={trial} />}
      {!isWide && <SlimMenu values={values} actions={isNarrow ? actions : undefined} />}
      <BarSpace />
      <Button
        look="ghost"
        small
        className={styles.scores}
        aria-haspopup="dialog"
        onClick={onScores}
      >
        <FailingCount failing={failing} all={result.scores.length} />
      </Button>
      <span className={styles.walk}>
        <Steps walk={walk} />
      </span>
      <ResultActions actions={actions} isNarrow={isNarrow} hasRegrade={!isNarrow} />
    </section>
  );
}

/** True from the first pixel on: the buttons of the top bar leave before the title does. */
function useScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const look = () => setScrolled(scrollY > 0);
    look();
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  return isScrolled;
}

/** The menu of the sections, named after the one in view. `actions`: they are in it, too, as in a narrow bar. */
function SlimMenu({
  values,
  actions,
}: {
  /** Holds the sections. */
  values: RefObject<HTMLElement | null>;
  actions: ResultActionsState | undefined;
}) {
  const { entries, goTo } = useOutline(values);
  const sections = entries.filter(({ kind }) => kind === 'section');
  const items = sections.map((entry, n) => (
    <MenuItem
      // biome-ignore lint/suspicious/noArrayIndexKey: two sections may have the same title
      key={`${n} ${entry.title}`}
      current={entry.isCurrent}
      // Once the menu has given the focus back, which scrolls.
      onClick={() => requestAnimationFrame(() => goTo(entry))}
    >
      {entry.title}
    </MenuItem>
  ));
  if (actions !== undefined) {
    return (
      <IconMenu icon="more" label="More">
        {!actions.isFresh && (
          <>
            <MenuItem
              needsServer
              disabled={!actions.canRegrade}
              note={actions.regradeNote}
              onClick={actions.regrade}
            >
              {actions.regradeLabel}
            </MenuItem>
            <MenuLine />
          </>
        )}
        {items}
      </IconMenu>
    );
  }
  const title = sections.find(({ isCurrent }) => isCurrent)?.title ?? 'Sections';
  return (
    <Menu
      label="Sections"
      button={{
        className: buttonClass({ look: 'ghost', small: true }),
        'aria-label': `${title}, go to a section`,
        children: (
          <>
            <span className={`cut ${styles.section}`}>{title}</span> <Icon name="down" small />
          </>
        ),
      }}
    >
      {items}
    </Menu>
  );
}
