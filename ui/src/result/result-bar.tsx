import type { ResultPage } from '../api/schema.js';
import { flipTheme } from '../app/theme.js';
import { useMedia } from '../browser/use-media.js';
import { BackLink, Bar, BarSpace, BarTools, Slash } from '../components/controls/bar.js';
import { buttonClass, IconButton } from '../components/controls/button.js';
import { CopyButton, copyText } from '../components/controls/copy-button.js';
import { IconMenu, MenuItem } from '../components/controls/menu.js';
import { count } from '../components/figures/figures.js';
import { Icon } from '../components/icons/icon.js';
import { MiddleCut } from '../components/names/middle-cut.js';
import { isFiltered, type View } from '../dashboard/view-state.js';
import { viewWord } from './navigation/addresses.js';
import type { Walk } from './navigation/use-navigation.js';
import type { WayBack } from './navigation/way-back.js';
import { ResultActions, type ResultActionsState } from './result-actions.js';
import styles from './result-bar.module.css';
import { webUrl } from './values/safe-url.js';

/** The top bar of a result: its run, navigation, and actions. */
export function ResultBar({
  page,
  view,
  walk,
  wayBack,
  actions,
}: {
  page: ResultPage;
  view: View;
  walk: Walk;
  wayBack: WayBack;
  actions: ResultActionsState;
}) {
  const trace = webUrl(page.result.result.trace_data.trace_url);
  const isNarrow = useMedia('(max-width: 640px)');
  if (isNarrow) {
    return (
      <Bar className={styles.narrow}>
        <BackLink href={wayBack.href} isIcon>
          {wayBack.text}
        </BackLink>
        <BarSpace />
        <Steps walk={walk} word={wayWord(view, wayBack)} />
        <BarSpace />
        <IconMenu icon="more" label="More">
          {trace !== undefined && (
            <MenuItem onClick={() => open(trace, '_blank', 'noopener,noreferrer')}>Trace</MenuItem>
          )}
          <MenuItem onClick={() => void copyText(location.href, 'The link')}>Copy link</MenuItem>
          <MenuItem onClick={() => void copyText(page.result.id, 'The id')}>Copy id</MenuItem>
          <MenuItem onClick={flipTheme}>Light or dark theme</MenuItem>
        </IconMenu>
        <ResultActions actions={actions} isNarrow />
      </Bar>
    );
  }
  return (
    <Bar className={styles.top}>
      <BackLink href={wayBack.href}>{wayBack.text}</BackLink>
      <Slash className={styles.slash} />
      <span className={styles.session}>{page.session_name}</span>
      <Slash className={styles.slash} />
      <span className={styles.run}>
        <MiddleCut text={page.run_name} />
      </span>
      <BarSpace />
      <Steps walk={walk} word={wayWord(view, wayBack)} />
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
export function EmptyBar({ wayBack }: { wayBack: WayBack }) {
  return (
    <Bar className={styles.top}>
      <BackLink href={wayBack.href}>{wayBack.text}</BackLink>
      <BarSpace />
      <IconButton icon="theme" label="Theme" onClick={flipTheme} />
    </Bar>
  );
}

/** What the result is one of. */
export function wayWord(view: View, wayBack: WayBack): string {
  return wayBack.state === null ? viewWord(view, isFiltered(view)) : 'pairs';
}

/** Where the result is among the others, and the buttons that lead to its neighbours. */
export function Steps({ walk, word }: { walk: Walk; word: string }) {
  return (
    <>
      <Position walk={walk} word={word} />
      <span className={styles.steps}>
        <IconButton
          icon="up"
          label="Previous, k"
          disabled={walk.previous === undefined}
          onClick={() => walk.go(walk.previous)}
        />
        <IconButton
          icon="arrowDown"
          label="Next, j"
          disabled={walk.next === undefined}
          onClick={() => walk.go(walk.next)}
        />
      </span>
    </>
  );
}

function Position({ walk, word }: { walk: Walk; word: string }) {
  if (!walk.isRead) return null;
  return (
    <span className={styles.position}>
      {walk.position === undefined ? (
        <>
          not among the <b>{count(walk.count)}</b> {word}
        </>
      ) : (
        <>
          <b>{count(walk.position + 1)}</b> of <b>{count(walk.count)}</b>{' '}
          <span className={styles.word}>{word}</span>
        </>
      )}
    </span>
  );
}
