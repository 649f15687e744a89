import { useEffect, useState } from 'react';
import type { ResultPage } from '../api/schema.js';
import { useMedia } from '../browser/use-media.js';
import { BarSpace } from '../components/controls/bar.js';
import { Button, buttonClass } from '../components/controls/button.js';
import { Menu } from '../components/controls/menu.js';
import { Icon } from '../components/icons/icon.js';
import { StatusIcon } from '../components/icons/status-icon.js';
import { nameParts } from '../components/names/evaluation-name.js';
import { MiddleCut } from '../components/names/middle-cut.js';
import { standingFrom } from './attempts.js';
import type { Walk } from './navigation/use-navigation.js';
import { SectionItems } from './outline/section-items.js';
import { ResultActions, type ResultActionsState } from './result-actions.js';
import { Steps } from './result-bar.js';
import { FailingCount } from './scores/score-sheet.js';
import styles from './slim-bar.module.css';
import { visibleText } from './values/visible-text.js';

/** Verdict, name, steps and actions, at the top of the window once the page is scrolled. */
export function SlimBar({
  page,
  walk,
  word,
  actions,
  onScores,
}: {
  page: ResultPage;
  walk: Walk;
  word: string;
  actions: ResultActionsState;
  onScores: () => void;
}) {
  const isShown = useScrolled();
  const isWide = useMedia('(min-width: 1241px)');
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
      <BarSpace />
      {!isWide && (
        <Menu
          label="Sections"
          align="end"
          button={{
            className: buttonClass({ look: 'ghost', small: true }),
            children: (
              <>
                <span className={styles.word}>Sections</span> <Icon name="down" small />
              </>
            ),
          }}
        >
          <SectionItems />
        </Menu>
      )}
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
      <ResultActions actions={actions} isSlim />
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
