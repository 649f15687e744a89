import { type RefObject, useEffect, useState } from 'react';
import type { ResultPage } from '../api/schema.js';
import { useMedia } from '../browser/use-media.js';
import { BarSpace } from '../components/controls/bar.js';
import { Button, buttonClass } from '../components/controls/button.js';
import { IconMenu, Menu, MenuItem, MenuLine } from '../components/controls/menu.js';
import { Icon } from '../components/icons/icon.js';
import { StatusIcon } from '../components/icons/status-icon.js';
import { nameParts } from '../components/names/evaluation-name.js';
import { MiddleCut } from '../components/names/middle-cut.js';
import { standingFrom } from './attempts.js';
import { TrialMarks } from './head/trials.js';
import type { Walk } from './navigation/use-navigation.js';
import { useOutline } from './outline/use-outline.js';
import { ResultActions, type ResultActionsState } from './result-actions.js';
import { Steps } from './result-bar.js';
import { FailingCount } from './scores/score-sheet.js';
import styles from './slim-bar.module.css';
import { visibleText } from './values/visible-text.js';

/** Verdict, name, steps and actions, at the top of the window once the page is scrolled. */
export function SlimBar({
  page,
  values,
  walk,
  word,
  actions,
  onScores,
}: {
  page: ResultPage;
  /** Holds the sections. */
  values: RefObject<HTMLElement | null>;
  walk: Walk;
  word: string;
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
        <Steps walk={walk} word={word} />
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
        <RegradeItem actions={actions} />
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

function RegradeItem({
  actions: { isFresh, canRegrade, whyNoRegrade, regradeLabel, inexactNote, regrade },
}: {
  actions: ResultActionsState;
}) {
  if (isFresh) return null;
  return (
    <>
      <MenuItem
        needsServer
        disabled={!canRegrade}
        note={whyNoRegrade ?? inexactNote}
        onClick={regrade}
      >
        {regradeLabel}
      </MenuItem>
      <MenuLine />
    </>
  );
}
