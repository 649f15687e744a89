import { Popover, PopoverDisclosure, PopoverProvider } from '@ariakit/react';
import { type ReactNode, useState } from 'react';
import type { RowFigures } from '../../api/row-queries.js';
import { useShortcut } from '../../app/shortcuts.js';
import { Button, buttonClass } from '../../components/button.js';
import { classNames } from '../../components/class-names.js';
import { Icon } from '../../components/icon.js';
import { Kbd } from '../../components/kbd.js';
import { useNarrow } from '../../components/page-layout.js';
import { Switch } from '../../components/switch.js';
import { filterButtonId } from '../top-bar/tools.js';
import { useView } from '../use-view.js';
import { type FilterKind, isFiltered, withoutFilters } from '../view-state.js';
import { facetValues } from './facet-values.js';
import lineStyles from './filter-line.module.css';
import styles from './filter-panel.module.css';
import { groupNames } from './filter-text.js';
import { LatencyRange } from './latency-range.js';
import { Pill } from './pill.js';
import { ScoreRules } from './score-rules.js';
import { SortChoice } from './sort-choice.js';
import { ValueList } from './value-list.js';

/** All filters, in a popover that `f` opens. */
export function FilterPanel({ figures }: { figures: RowFigures }) {
  const [isOpen, setOpen] = useState(false);
  const [view, setView] = useView();
  const isNarrow = useNarrow();
  useShortcut('filters', () => setOpen(true));
  const { facets, latency } = figures.summary;
  const hasTrials = facets.flaky.some(({ value, count }) => value && count > 0) || !view.fold;
  const pills = (kind: FilterKind) =>
    facetValues(kind, facets, view.filters[kind]).map(({ value, count }) => (
      <Pill key={value} kind={kind} value={value} count={count} />
    ));
  return (
    <PopoverProvider open={isOpen} setOpen={setOpen} placement="bottom-start">
      <PopoverDisclosure
        id={filterButtonId}
        className={classNames(buttonClass({ look: 'ghost', small: true }), lineStyles.button)}
      >
        <Icon name="plus" small />
        Filter <Kbd>f</Kbd>
      </PopoverDisclosure>
      <Popover
        portal
        // Where the line scrolls sideways, the button may be out of sight.
        getAnchorRect={(anchor) => anchorRect(anchor)}
        gutter={4}
        overflowPadding={8}
        aria-label="Filters"
        className={styles.panel}
        unmountOnHide
      >
        {isNarrow && <SortChoice facets={facets} />}
        <ValueList kind="dataset" facets={facets} />
        <ValueList kind="label" facets={facets} />
        <Section kind="status">{pills('status')}</Section>
        {facets.score.length > 0 && <ScoreRules facets={facets} />}
        <Section kind="has">{pills('has')}</Section>
        {hasTrials && (
          <Section kind="flaky">
            {pills('flaky')}
            <Switch isOn={view.fold} onChange={(fold) => setView((now) => ({ ...now, fold }))}>
              one row for all trials
            </Switch>
          </Section>
        )}
        {latency.count > 0 && <LatencyRange latency={latency} />}
        <p className={styles.end}>
          <span className="faint">A click includes, the next one excludes.</span>
          <Button
            look="ghost"
            small
            disabled={!isFiltered(view)}
            onClick={() => setView(withoutFilters)}
          >
            Clear
          </Button>
        </p>
      </Popover>
    </PopoverProvider>
  );
}

function Section({ kind, children }: { kind: FilterKind; children: ReactNode }) {
  return (
    <fieldset className={styles.section}>
      <legend>{groupNames[kind]}</legend>
      <div className={styles.values}>{children}</div>
    </fieldset>
  );
}

function anchorRect(button: HTMLElement | null): DOMRect | null {
  const rect = button?.getBoundingClientRect() ?? null;
  if (rect === null || rect.right <= window.innerWidth) return rect;
  return button?.closest('nav')?.getBoundingClientRect() ?? rect;
}
