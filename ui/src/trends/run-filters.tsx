import { memo } from 'react';
import type { TrendRun } from '../api/schema.js';
import { Button } from '../components/controls/button.js';
import { FilterPill } from '../components/controls/filter-pill.js';
import { count } from '../components/figures/figures.js';
import lineStyles from '../dashboard/filters/filter-line.module.css';
import { cycle, isChosen, standing } from '../dashboard/view-state.js';
import { visibleText } from '../result/values/visible-text.js';
import type { SetTrendsView } from './use-trends-view.js';
import { changeKinds, changesOf, type TrendsView, withoutRunFilters } from './view-state.js';

/** Id of the filter line, which takes the focus. */
export const runFiltersId = 'filters';

/** Filters of the table: configs, and what there is to say of a run. */
export const RunFilters = memo(function RunFilters({
  runs,
  listed,
  view,
  setView,
}: {
  runs: readonly TrendRun[];
  /** How many of the runs the filters leave. */
  listed: number;
  view: TrendsView;
  setView: SetTrendsView;
}) {
  const configs = [...new Set(runs.map(({ config_name }) => config_name))].sort();
  const ofConfig = (name: string) => runs.filter(({ config_name }) => config_name === name).length;
  const ofChange = (kind: string) => runs.filter((run) => changesOf(run).includes(kind)).length;
  const pill = (kind: 'configs' | 'changes', value: string, many: number) => {
    const now = standing(view[kind], value);
    if (many === 0 && now === 'off') return null;
    return (
      <FilterPill
        key={value}
        standing={now}
        text={visibleText(value)}
        count={many}
        onClick={() => setView((of) => ({ ...of, [kind]: cycle(of[kind], value) }))}
      />
    );
  };
  const changes = changeKinds.map((kind) => pill('changes', kind, ofChange(kind)));
  const isFiltered = isChosen(view.configs) || isChosen(view.changes);
  return (
    <nav className={lineStyles.line} aria-label="Filters" id={runFiltersId}>
      {(configs.length > 1 || isChosen(view.configs)) && (
        <>
          <span className={lineStyles.group}>config</span>
          {[...new Set([...configs, ...view.configs.include, ...view.configs.exclude])].map(
            (name) => pill('configs', name, ofConfig(name)),
          )}
        </>
      )}
      {changes.some((one) => one !== null) && (
        <>
          <span className={lineStyles.group}>change</span>
          {changes}
        </>
      )}
      {isFiltered && (
        <Button look="ghost" small onClick={() => setView(withoutRunFilters)}>
          Clear
        </Button>
      )}
      <span className={lineStyles.space} />
      <span className={lineStyles.end}>
        <span className="quiet" role="status">
          {listed < runs.length && `${count(listed)} of `}
          <b>{count(runs.length)}</b> {runs.length === 1 ? 'run' : 'runs'}
        </span>
      </span>
    </nav>
  );
});
