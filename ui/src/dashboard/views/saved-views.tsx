import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useDeleteView, useRenameView, useSaveView } from '../../api/actions.js';
import { getRows } from '../../api/client.js';
import { ApiProblem, messageOf } from '../../api/problem.js';
import { useViews } from '../../api/queries.js';
import type { AnswerOf } from '../../api/request.js';
import { useHeldKeys } from '../../app/held-keys.js';
import { notify, notifyError } from '../../app/notices.js';
import { useDelayed } from '../../browser/use-delayed.js';
import { Button } from '../../components/controls/button.js';
import { ConfirmDialog, Dialog, DialogEnd } from '../../components/controls/dialog.js';
import { Field } from '../../components/controls/field.js';
import { Kbd } from '../../components/controls/kbd.js';
import { MenuCaption, MenuItem, MenuLine } from '../../components/controls/menu.js';
import { count } from '../../components/figures/figures.js';
import { useShown } from '../dashboard-state.js';
import { filterText } from '../filters/filter-values.js';
import {
  forgetUnsaved,
  readColumns,
  showColumnsOf,
  useColumns,
} from '../table/columns/column-store.js';
import { type Columns, chosenColumns, withVisible } from '../table/columns/columns.js';
import { matchesOptions } from '../table/results-table.js';
import { useView } from '../use-view.js';
import {
  defaultView,
  filterKinds,
  parseView,
  place,
  renderRowQuery,
  renderView,
  type View,
  withChoice,
} from '../view-state.js';
import styles from './view-items.module.css';

/** The menu of views: opens one, and saves, renames or deletes the open one. */
export function ViewItems({ onAsk }: { onAsk: (dialog: ViewDialog) => void }) {
  const { data: views, error } = useViews();
  const [view, setView] = useView();
  const columns = useColumns();
  const open = useOpenView();
  const current = views?.find(({ name }) => name === view.saved);
  const edited = current !== undefined && isEdited(current, view, columns);
  return (
    <>
      {error && <MenuCaption>{messageOf(error)}</MenuCaption>}
      {views?.length === 0 && <MenuCaption>No view is saved yet</MenuCaption>}
      {views?.map((saved) => (
        <MenuItem
          key={saved.name}
          current={saved === current}
          note={wordsOf(parseView(saved.query))}
          onClick={() => void open(saved)}
        >
          <span className={styles.line}>
            <span className="cut">{saved.name}</span>
            <Matches saved={saved} />
          </span>
        </MenuItem>
      ))}
      <MenuLine />
      {edited && (
        <MenuItem needsServer keys="v" onClick={() => onAsk('save')}>
          Save changes to “{current.name}”
        </MenuItem>
      )}
      {edited && <MenuItem onClick={() => void open(current)}>Discard changes</MenuItem>}
      <MenuItem needsServer {...(current ? {} : { keys: 'v' })} onClick={() => onAsk('save as')}>
        Save as new view…
      </MenuItem>
      {current && (
        <>
          <MenuItem needsServer onClick={() => onAsk('rename')}>
            Rename “{current.name}”…
          </MenuItem>
          <MenuItem needsServer danger onClick={() => onAsk('delete')}>
            Delete “{current.name}”…
          </MenuItem>
          <MenuLine />
          <MenuItem onClick={() => setView((now) => plainView(now.run))}>All results</MenuItem>
        </>
      )}
    </>
  );
}

/** The number of results that a view matches now. */
function Matches({ saved }: { saved: ListedView }) {
  const { run_id: run } = useShown().run;
  const { data } = useQuery(matchesOptions(run, openedView(saved, undefined)));
  return <span className={styles.matches}>{data && count(data.filtered)}</span>;
}

/** A view in words: `failed, tone, by dataset`. */
function wordsOf(view: View): string {
  const { filters, search, by, sort } = view;
  const words = filterKinds.flatMap((kind) => [
    ...filters[kind].include.map((value) => filterText(kind, value)),
    ...filters[kind].exclude.map((value) => `not ${filterText(kind, value)}`),
  ]);
  if (search !== '') words.push(`“${search}”`);
  if (by !== undefined) words.push(`by ${by}`);
  if (sort !== 'index') words.push(`sorted by ${sort.replace(/^\w+:/, '')}`);
  const shown = words.slice(0, mostWords);
  if (words.length > mostWords) shown.push(`${words.length - mostWords} more`);
  return shown.length === 0 ? 'everything' : shown.join(', ');
}

/** Parts of a view in its description. */
const mostWords = 5;

/** Says whether the open view is edited. Opens it if the address names nothing else, and shows its columns. */
export function OpenedView({ name }: { name: string }) {
  const { data: views } = useViews();
  const [view, setView] = useView();
  const columns = useColumns();
  const open = useOpenView();
  const saved = views?.find((other) => other.name === name);
  // A view that is being renamed has no entry for a moment.
  const isUnknown = useDelayed(views !== undefined && saved === undefined, 1000);
  const ids = saved?.columns && JSON.stringify(saved.columns);

  useEffect(() => {
    if (ids === undefined) return;
    showColumnsOf({ name, columns: JSON.parse(ids) as string[] });
    return () => showColumnsOf(undefined);
  }, [name, ids]);

  const edited = saved !== undefined && isEdited(saved, view, columns);
  const text = saved && JSON.stringify(saved);
  const known = useRef<string>(undefined);
  useEffect(() => {
    const before = known.current;
    known.current = text;
    // What is saved here is what the page shows.
    if (before === undefined || text === undefined || before === text || !edited) return;
    if ((JSON.parse(before) as { name: string }).name !== name) return;
    notify(`The view ${name} was changed elsewhere. This page shows it as it was.`);
  }, [text, edited, name]);

  const opened = useRef<string>(undefined);
  useEffect(() => {
    if (!view.isToOpen || saved === undefined || opened.current === name) return;
    opened.current = name;
    void open(saved, { replace: true });
  });

  useEffect(() => {
    if (!isUnknown) return;
    notify(`There is no view ${name}: it has been renamed or deleted.`);
    setView((now) => ({ ...now, saved: undefined, isToOpen: false }), { replace: true });
  }, [isUnknown, name, setView]);

  if (!edited) return null;
  return <span className="quiet">edited</span>;
}

/** Saves, renames or deletes a view. */
export function ViewDialogs({ dialog, onClose }: { dialog: ViewDialog; onClose: () => void }) {
  const [view, setView] = useView();
  const { data: views } = useViews();
  const save = useSaveView();
  const rename = useRenameView();
  const remove = useDeleteView();
  const { saved } = view;
  useHeldKeys(views === undefined);
  const isKnown = views?.some(({ name }) => name === saved) ?? false;
  // Promises, because callbacks are not called once the dialog is closed.
  const saveAs = (name: string) => {
    const columns = [...chosenColumns(readColumns())];
    const { name: _, ...replaces } = views?.find((one) => one.name === name) ?? { name };
    const known = 'query' in replaces ? replaces : null;
    save.mutateAsync({ name, query: savedQuery(view), columns, replaces: known }).then(() => {
      forgetUnsaved();
      setView((now) => ({ ...now, saved: name, isToOpen: false }), { replace: true });
      notify(`The view ${name} is saved.`);
    }, told);
  };
  // Saves an open view at once: its name is known.
  const isAtOnce = dialog === 'save' && isKnown;
  useEffect(() => {
    if (!isAtOnce || saved === undefined) return;
    onClose();
    saveAs(saved);
  });
  if (views === undefined || isAtOnce) return null;
  if (dialog === 'delete') {
    return (
      <ConfirmDialog
        isOpen
        title={`Delete the view ${saved}?`}
        action="Delete view"
        onClose={onClose}
        onConfirm={() => {
          if (saved === undefined) return;
          setView((now) => ({ ...now, saved: undefined }), { replace: true });
          remove.mutate(saved);
        }}
      >
        Its filters and columns are removed from the settings file. No result is deleted.
      </ConfirmDialog>
    );
  }
  const others = views.flatMap(({ name }) => (name === saved ? [] : [name]));
  if (dialog === 'rename' && saved !== undefined) {
    return (
      <NameDialog
        title="Rename the view"
        action="Rename"
        start={saved}
        onClose={onClose}
        noteOf={(name) => (others.includes(name) ? 'Another view has this name.' : undefined)}
        isRefused={(name) => others.includes(name)}
        onDone={(to) => {
          rename.mutateAsync({ name: saved, to }).then(() => {
            setView((now) => ({ ...now, saved: to }), { replace: true });
          }, told);
        }}
      />
    );
  }
  return (
    <NameDialog
      title="Save the view"
      action="Save"
      start=""
      onClose={onClose}
      noteOf={(name) =>
        views.some((other) => other.name === name)
          ? 'Replaces the view with this name.'
          : 'Filters, order, groups and columns; everyone who uses the settings file sees it.'
      }
      onDone={saveAs}
    />
  );
}

/** Errors are told in a notice. */
const told = () => {};

/** Asks for the name of a view. */
function NameDialog({
  title,
  action,
  start,
  noteOf,
  isRefused = () => false,
  onDone,
  onClose,
}: {
  title: string;
  action: string;
  start: string;
  noteOf: (name: string) => string | undefined;
  isRefused?: (name: string) => boolean;
  onDone: (name: string) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState(start);
  const name = text.trim();
  const isBad = name.includes('"') || name === '.' || name === '..';
  const isFine = name !== '' && !isBad && !isRefused(name);
  return (
    <Dialog title={title} isOpen onClose={onClose} width={420}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isFine) return;
          onClose();
          if (name !== start) onDone(name);
        }}
      >
        <Field
          autoFocus
          label="Name of the view"
          placeholder="Name"
          maxLength={100}
          bad={isBad || isRefused(name)}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <p className={styles.note} role="status">
          {isBad ? `A name cannot contain " or be dots.` : noteOf(name)}
        </p>
        <DialogEnd>
          <Button look="ghost" onClick={onClose}>
            Cancel <Kbd>esc</Kbd>
          </Button>
          <Button needsServer look="primary" type="submit" disabled={!isFine}>
            {action}
          </Button>
        </DialogEnd>
      </form>
    </Dialog>
  );
}

/** Opens saved views: their query in the address, their columns in the table. */
function useOpenView() {
  const { run_id: run } = useShown().run;
  const [, setView] = useView();
  return async (saved: ListedView, { replace = false } = {}): Promise<void> => {
    const { view, left } = await withoutMissing(saved, run);
    if (saved.columns) showColumnsOf({ name: saved.name, columns: saved.columns }, true);
    setView((now) => ({ ...view, run: now.run }), { replace });
    if (left.length === 0) return;
    const names = left.map((name) => `“${name}”`).join(', ');
    notify(`The view ${saved.name} opens without ${names}: not in this run.`);
  };
}

/** A view without what the server does not know, and without values that no result of the run has. */
async function withoutMissing(
  saved: ListedView,
  run: string,
): Promise<{ readonly view: View; readonly left: readonly string[] }> {
  let view = openedView(saved, undefined);
  const left: string[] = [];
  // Each refusal names at least one parameter, which is gone the next time.
  for (;;) {
    const params = new URLSearchParams(renderRowQuery(view));
    params.set('limit', '0');
    try {
      const { filtered, summary } = await getRows(run, params);
      if (filtered > 0) return { view, left };
      const known = {
        dataset: summary.facets.dataset.map(({ value }) => value),
        label: summary.facets.label.map(({ value }) => value),
      };
      for (const kind of ['dataset', 'label'] as const) {
        for (const value of view.filters[kind].include) {
          if (known[kind].includes(value)) continue;
          view = withChoice(view, kind, place(view.filters[kind], value, 'off'));
          left.push(filterText(kind, value));
        }
      }
      return { view, left };
    } catch (error) {
      const names = error instanceof ApiProblem ? error.errors.map(({ pointer }) => pointer) : [];
      const known = new URLSearchParams(savedQuery(view));
      const bad = names.filter((name) => known.has(name));
      if (bad.length === 0) {
        notifyError(error);
        return { view, left };
      }
      for (const name of bad) {
        left.push(...known.getAll(name).map((value) => `${name}=${value}`));
        known.delete(name);
      }
      view = openedView({ name: saved.name, query: String(known) }, undefined);
    }
  }
}

/** A view in the settings file. */
type ListedView = AnswerOf<'listViews'>['views'][number];

/** The dialogs about views. `save`: saves the open view, or asks for a name. */
export type ViewDialog = 'save' | 'save as' | 'rename' | 'delete';

/** What a view saves of the address: everything but the run, and which single groups are folded. */
function savedQuery({ folds, ...view }: View): string {
  return renderView({
    ...view,
    run: undefined,
    saved: undefined,
    folds: { ...folds, except: [] },
  }).slice(1);
}

/** A saved view, on the run of another one. */
function openedView({ name, query }: ListedView, run: string | undefined): View {
  return { ...parseView(query), run, saved: name, isToOpen: false };
}

/** A view that does not come from a saved one, without filters, order and groups. */
function plainView(run: string | undefined): View {
  return { ...defaultView, run };
}

/** Whether the page shows something else than the saved view. */
function isEdited(saved: ListedView, view: View, columns: Columns): boolean {
  if (view.isToOpen) return false;
  if (savedQuery(parseView(saved.query)) !== savedQuery(view)) return true;
  if (saved.columns === undefined) return false;
  const wanted = chosenColumns(withVisible(columns, saved.columns));
  return String(wanted) !== String(chosenColumns(columns));
}
