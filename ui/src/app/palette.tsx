import { useQueries, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { getRowPage } from '../api/client.js';
import { keys } from '../api/keys.js';
import { useHasWorkers, useOfferedRuns, useRun } from '../api/queries.js';
import { facetsOptions, rowValuesOptions, useRowFields } from '../api/row-queries.js';
import { useResting } from '../browser/use-resting.js';
import { Kbd } from '../components/controls/kbd.js';
import { count, counted } from '../components/figures/figures.js';
import { Icon } from '../components/icons/icon.js';
import type { IconName } from '../components/icons/icon-paths.js';
import { StatusIcon } from '../components/icons/status-icon.js';
import { standingOf } from '../components/scores/standing.js';
import { defaultView, parseView, withChoice, withCondition } from '../dashboard/view-state.js';
import {
  calibrationAddress,
  callsAddress,
  resultAddress,
  reviewAddress,
  tableAddress,
  trendsAddress,
} from '../result/addresses.js';
import { visibleText } from '../result/values/visible-text.js';
import styles from './palette.module.css';
import { type CommandGroup, commandsOf } from './shortcuts.js';

/** The classes of the box around the palette, and of what is between it and the page. */
export const paletteClass = styles.palette ?? '';
export const paletteBackdrop = styles.backdrop ?? '';

/** Something to choose. */
interface Entry {
  readonly id: string;
  readonly text: string;
  /** Said after the text. */
  readonly note?: string | undefined;
  readonly icon?: IconName | undefined;
  /** In place of an icon. */
  readonly sign?: ReactNode;
  readonly shown?: readonly string[];
  /** Where it leads; else what it does. */
  readonly href?: string;
  readonly act?: () => void;
}

/** Entries under a heading. */
interface Part {
  readonly title: string;
  readonly entries: readonly Entry[];
}

const groupTitles: Readonly<Record<CommandGroup, string>> = {
  go: 'Go to',
  do: 'Do',
  show: 'Show',
  this: 'This',
};

/** The field and the list of the palette. `row`: the row that had the focus when it was opened. */
export function PaletteContent({
  row,
  onChoose,
}: {
  row: HTMLElement | undefined;
  /** Closes the palette, then does something. */
  onChoose: (act: () => void) => void;
}) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [, navigate] = useLocation();
  const id = useId();
  const parts = useParts(text.trim(), row);
  const all = parts.flatMap(({ entries }) => entries);
  const active = Math.min(at, all.length - 1);
  const choose = ({ href, act }: Entry, isAside: boolean) =>
    onChoose(() => {
      if (href === undefined) act?.();
      else if (isAside) open(href, '_blank', 'noopener');
      else navigate(href);
    });
  const onKeyDown = (event: KeyboardEvent) => {
    const entry = all[active];
    const moves: Readonly<Record<string, number>> = { ArrowDown: active + 1, ArrowUp: active - 1 };
    const to = moves[event.key];
    if (to !== undefined) setAt((to + all.length) % Math.max(1, all.length));
    else if (event.key === 'Enter' && entry) choose(entry, event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={styles.query}>
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Commands"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={all.length > 0 ? `${id}-${active}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder="A command, a result, a filter, a run"
          value={text}
          onChange={({ currentTarget: { value } }) => {
            setText(value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <Kbd>esc</Kbd>
      </div>
      <div className={styles.list} role="listbox" id={`${id}-list`} aria-label="Commands">
        {parts.map(({ title, entries }) => (
          <div key={title} role="group" aria-label={title}>
            <p className={styles.title} aria-hidden="true">
              {title}
            </p>
            {entries.map((entry) => {
              const n = all.indexOf(entry);
              return (
                <Option
                  key={entry.id}
                  id={`${id}-${n}`}
                  entry={entry}
                  text={text.trim()}
                  isActive={n === active}
                  onPoint={() => setAt(n)}
                  onChoose={(isAside) => choose(entry, isAside)}
                />
              );
            })}
          </div>
        ))}
      </div>
      {all.length === 0 && <p className={styles.none}>Nothing has “{text.trim()}”.</p>}
      <p className={styles.foot}>
        <span>
          <Kbd>↑</Kbd>
          <Kbd>↓</Kbd> choose
        </span>
        <span>
          <Kbd>↵</Kbd> do it
        </span>
        <span className={styles.wide}>
          <Kbd>ctrl ↵</Kbd> in a new tab
        </span>
      </p>
      <span className="sr" role="status">
        {text !== '' && `${count(all.length)} found`}
      </span>
    </>
  );
}

function Option({
  id,
  entry: { text: words, note, icon, sign, shown = [] },
  text,
  isActive,
  onPoint,
  onChoose,
}: {
  id: string;
  entry: Entry;
  text: string;
  isActive: boolean;
  onPoint: () => void;
  onChoose: (isAside: boolean) => void;
}) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys
    <div
      ref={isActive ? intoSight : undefined}
      id={id}
      role="option"
      aria-selected={isActive}
      className={styles.option}
      onPointerMove={onPoint}
      onClick={(event) => onChoose(event.ctrlKey || event.metaKey)}
    >
      {sign ?? (icon ? <Icon name={icon} /> : <span />)}
      <span className="cut">
        <Hits text={visibleText(words)} wanted={text} />
        {note !== undefined && <span className={styles.note}>{visibleText(note)}</span>}
      </span>
      <span className={styles.keys}>
        {shown.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </span>
    </div>
  );
}

function intoSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

/** A text with what was typed marked. */
function Hits({ text, wanted }: { text: string; wanted: string }) {
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase());
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + wanted.length)}</mark>
      {text.slice(at + wanted.length)}
    </>
  );
}

/** Milliseconds that a text stays the same before it is looked for. */
const rest = 120;

/** What there is to choose: without a text what the page can do, with one also results, filters, runs and sessions that have it. */
function useParts(text: string, row: HTMLElement | undefined): readonly Part[] {
  const run = useShownRun();
  const pages = usePages(run);
  const isResting = useResting(text, rest) === text;
  const results = useResults(run, text, isResting);
  const places = usePlaces(text);
  const filters = useFilters(run, text, isResting);
  const [commands] = useState(() => commandsOf(row));
  const has = ({ text: words, note = '' }: Entry) =>
    text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => `${words} ${note}`.toLowerCase().includes(word));
  const groups = (Object.keys(groupTitles) as CommandGroup[]).map((group) => {
    const name = row?.querySelector('[role=rowheader] a')?.textContent;
    const title = group === 'this' && name ? `This row: ${name}` : groupTitles[group];
    const own = commands
      .filter((one) => one.group === group)
      .map((one): Entry => ({ ...one, text: capital(one.text) }));
    return { title, entries: (group === 'go' ? [...own, ...pages] : own).filter(has) };
  });
  return [...results, ...filters, ...places, ...groups].filter(({ entries }) => entries.length > 0);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The id of the run that the page is about; of the active one, if it is about none. */
function useShownRun(): string {
  const [path] = useLocation();
  const search = useSearch();
  const [, ofPath] = /^\/runs\/([^/]+)/.exec(path) ?? [];
  const named = ofPath ?? new URLSearchParams(search).get('run') ?? 'latest';
  return useRun(decodeURIComponent(named)).data?.run_id ?? 'latest';
}

/** Orders of the results that are often asked for. */
const orders = [
  ['latency', 'Slowest results first'],
  ['cost', 'Dearest results first'],
] as const;

function usePages(run: string): readonly Entry[] {
  const [path] = useLocation();
  const search = useSearch();
  const hasWorkers = useHasWorkers();
  const { data } = useRun(run);
  const { newest } = useOfferedRuns();
  const before = newest[newest.findIndex(({ run_id }) => run_id === run) + 1];
  const pair = new URLSearchParams([
    ['run', before?.run_id ?? ''],
    ['run', run],
  ]);
  const all: (Entry | false)[] = [
    {
      id: 'results',
      text: 'Results',
      note: data?.run_name,
      icon: 'filter',
      href: tableAddress({ ...defaultView, run }),
    },
    ...orders.map(
      ([sort, text]): Entry => ({
        id: `by ${sort}`,
        text,
        note: data?.run_name,
        icon: 'down',
        href: tableAddress({
          ...(path === '/' ? parseView(search) : defaultView),
          run,
          sort,
          descending: true,
        }),
      }),
    ),
    data?.usage !== undefined && {
      id: 'calls',
      text: 'Calls of models',
      note: data.run_name,
      icon: 'terminal',
      href: callsAddress(run),
    },
    before !== undefined && {
      id: 'compare',
      text: 'Compare with the run before',
      note: before.run_name,
      icon: 'compare',
      href: `/compare?${pair}`,
    },
    before !== undefined && {
      id: 'matrix',
      text: 'Matrix with the run before',
      note: before.run_name,
      icon: 'columns',
      href: `/matrix?${pair}`,
    },
    data !== undefined && {
      id: 'trends',
      text: 'Trends of the session',
      note: data.session_name,
      icon: 'chart',
      href: trendsAddress(data.session_name),
    },
    { id: 'review', text: 'Review by hand', icon: 'eye', href: reviewAddress(run) },
    {
      id: 'calibration',
      text: 'Calibration of judges',
      icon: 'hand',
      href: calibrationAddress(run),
    },
    hasWorkers && { id: 'workers', text: 'Workers', icon: 'machines', href: '/workers' },
  ];
  return all.filter((one) => one !== false);
}

/** Results that are shown. */
const mostResults = 3;

/** The first results whose name has a text, and the way to all that match it. */
function useResults(run: string, text: string, isResting: boolean): readonly Part[] {
  const [path] = useLocation();
  // In a review nothing may hint at a verdict.
  const isWanted = text !== '' && !path.endsWith('/review');
  const query = new URLSearchParams({ search: text, limit: '50' });
  const { data } = useQuery({
    queryKey: keys.rowPage(run, `palette ${query}`, 0),
    queryFn: ({ signal }) => getRowPage(run, query, signal),
    enabled: isResting && isWanted,
  });
  if (data === undefined || !isWanted) return [];
  const named = data.rows.filter((row) => row.function.toLowerCase().includes(text.toLowerCase()));
  const view = { ...defaultView, run, search: text };
  const entries = named.slice(0, mostResults).map(
    (row): Entry => ({
      id: row.id,
      text: row.trial === undefined ? row.function : `${row.function}~${row.trial}`,
      note: row.dataset,
      sign: <StatusIcon standing={standingOf(row.status, row.passed)} size="chip" />,
      href: resultAddress(view, run, row.index),
    }),
  );
  const all = {
    id: 'all results',
    text: `All ${count(data.filtered)} that match “${text}”`,
    href: tableAddress(view),
  };
  return [{ title: 'Results', entries: data.filtered > 0 ? [...entries, all] : [] }];
}

/** Filters that are shown. */
const mostFilters = 6;
/** What every answer about rows counts, as filters of their own. */
const facetFields = ['dataset', 'label', 'status'] as const;
/** Fields whose values are looked for, before those of the metadata, of which there may be many. */
const filterFields = ['tool', 'model'];
const mostMetadata = 8;

/** Values of the results that have a text, as filters of the table: beside those of the dashboard that it shows. */
function useFilters(run: string, text: string, isResting: boolean): readonly Part[] {
  const [path] = useLocation();
  const search = useSearch();
  const isWanted = text !== '' && !path.endsWith('/review');
  const { data: known = [] } = useRowFields(run);
  const metadata = known.map(({ field }) => field).filter((field) => field.startsWith('metadata.'));
  const fields = [...filterFields, ...metadata.slice(0, mostMetadata)];
  const isAsking = isResting && isWanted;
  const { data: all } = useQuery({ ...facetsOptions(run), enabled: isAsking });
  const answers = useQueries({
    queries: fields.map((field) => ({
      ...rowValuesOptions(run, field, ''),
      enabled: isAsking,
    })),
  });
  if (!isWanted) return [];
  const view = { ...(path === '/' ? parseView(search) : defaultView), run };
  const values = [
    ...facetFields.flatMap((field) =>
      (all?.summary.facets[field] ?? []).map(({ value, count }) => ({
        ...{ field, value, results: count },
        href: tableAddress(withChoice(view, field, { include: [value], exclude: [] })),
      })),
    ),
    ...answers.flatMap(({ data }, n) =>
      (data?.values ?? []).map(({ value, results }) => {
        const field = fields[n] ?? '';
        const href = tableAddress(withCondition(view, `${field}=${value}`));
        return { field, value, results, href };
      }),
    ),
  ];
  const entries = values.flatMap(({ field, value, results, href }): Entry[] => {
    const name = `${field}=${value}`;
    if (!name.toLowerCase().includes(text.toLowerCase())) return [];
    return [
      { id: `filter ${name}`, text: name, note: counted(results, 'result'), icon: 'filter', href },
    ];
  });
  return [{ title: 'Filters', entries: entries.slice(0, mostFilters) }];
}

/** Runs that are shown. */
const mostRuns = 5;

/** Runs and sessions whose name has a text. */
function usePlaces(text: string): readonly Part[] {
  const { bySession } = useOfferedRuns();
  const has = (name: string) => text !== '' && name.toLowerCase().includes(text.toLowerCase());
  const runs = bySession.flatMap(({ session, runs: its }) =>
    its
      .filter(({ run_name, run_id }) => has(run_name) || run_id === text)
      .map((run) => ({ ...run, session })),
  );
  const sessions = bySession.flatMap(({ session, runs: [newest] }) =>
    has(session) && newest !== undefined ? [{ session, newest }] : [],
  );
  return [
    {
      title: 'Runs',
      entries: runs.slice(0, mostRuns).map(({ run_id, run_name, session }) => ({
        id: run_id,
        text: run_name,
        note: session,
        href: tableAddress({ ...defaultView, run: run_id }),
      })),
    },
    {
      title: 'Sessions',
      entries: sessions.map(({ session, newest: { run_id, run_name } }) => ({
        id: `session ${session}`,
        text: session,
        note: run_name,
        href: tableAddress({ ...defaultView, run: run_id }),
      })),
    },
  ];
}
