import type { QueryClient } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { editResult, editResults, getResult, type ReadResult } from '../../api/client.js';
import { keys } from '../../api/keys.js';
import { isConflict, messageOf, ServerGone } from '../../api/problem.js';
import type { Body } from '../../api/request.js';
import type { Score } from '../../api/schema.js';
import { type DraftPlace, keepDraft, rebaseDrafts } from './use-draft.js';

/** A change of a result, as the API takes it. */
export type ResultChange = Body<'editResult'>['result'];

/** A saved edit that the server does not have yet. */
export interface WaitingEdit extends DraftPlace {
  readonly change: ResultChange;
  /** The input, which is a draft again if the server refuses the edit. */
  readonly text: unknown;
  /** The revision that was edited. */
  readonly base: string;
}

/** A change of many results that the server does not have yet. */
export interface WaitingBulk {
  readonly run: string;
  readonly bulk: Body<'editResults'>;
}

type Waiting = WaitingEdit | WaitingBulk;

/** An edit that the server has refused; its input is a draft. */
interface RefusedEdit extends DraftPlace {
  readonly reason: string;
}

/** The edits without an answer. */
interface Edits {
  /** In the order in which they are sent. */
  readonly waiting: readonly Waiting[];
  readonly refused: readonly RefusedEdit[];
}

const key = 'assay.edits';
const watchers = new Set<() => void>();
let edits: Edits = readKept();
let isSending = false;

function readKept(): Edits {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? { waiting: [], refused: [] };
  } catch {
    return { waiting: [], refused: [] };
  }
}

function set(next: Edits): void {
  edits = next;
  try {
    sessionStorage.setItem(key, JSON.stringify(edits));
  } catch {
    // Without storage, they wait until the page is loaded again.
  }
  for (const watcher of watchers) watcher();
}

/** The edits that wait, and those that were refused. */
export function useEdits(): Edits {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => edits,
  );
}

/** True while an edit of a part of a result waits. */
export function useIsWaiting(place: DraftPlace): boolean {
  const { waiting } = useEdits();
  return waiting.some(
    (edit) => isOf(edit, place) && (isBulk(edit) || edit.part.startsWith(place.part)),
  );
}

/** True if an edit of a result waits: later ones have to wait, too. */
export function hasWaiting(place: Pick<DraftPlace, 'run' | 'index'>): boolean {
  return edits.waiting.some((edit) => isOf(edit, place));
}

/** True if an edit of a run waits: changes of many of its results have to wait, too. */
export function hasWaitingIn(run: string): boolean {
  return edits.waiting.some((edit) => edit.run === run);
}

/** Keeps a change of many results until the server answers. */
export function waitWithBulk(edit: WaitingBulk): void {
  set({ ...edits, waiting: [...edits.waiting, edit] });
}

/** Keeps an edit until the server answers. */
export function waitWith(edit: WaitingEdit): void {
  set({ ...edits, waiting: [...edits.waiting, edit] });
}

/** A result as the edits that wait will make it, whenever it was read. */
export function useAsEdited(page: ReadResult | undefined): ReadResult | undefined {
  const { waiting } = useEdits();
  return useMemo(
    () =>
      page &&
      waiting.reduce(
        (shown, edit) =>
          !isBulk(edit) && edit.run === page.run_id && edit.index === page.index
            ? asChanged(shown, edit.change)
            : shown,
        page,
      ),
    [page, waiting],
  );
}

/** Forgets that an edit was refused: it has been saved or discarded. */
export function forgetRefused(place: DraftPlace): void {
  const isIt = (edit: RefusedEdit) => isSameResult(edit, place) && edit.part === place.part;
  if (edits.refused.some(isIt)) {
    set({ ...edits, refused: edits.refused.filter((edit) => !isIt(edit)) });
  }
}

/** Forgets all refused edits; their input stays. */
export function dismissRefused(): void {
  set({ ...edits, refused: [] });
}

/** Sends the edits that wait, one after the other, until the server is gone again. Returns how many it has taken. */
export async function sendWaiting(cache: QueryClient): Promise<number> {
  if (isSending) return 0;
  isSending = true;
  let taken = 0;
  try {
    for (let [edit] = edits.waiting; edit !== undefined; [edit] = edits.waiting) {
      const isTaken = isBulk(edit) ? await sendBulk(edit) : await send(cache, edit);
      if (isTaken) taken += 1;
      void cache.invalidateQueries({
        queryKey: isBulk(edit) ? keys.results(edit.run) : keys.result(edit.run, edit.index),
      });
      void cache.invalidateQueries({ queryKey: keys.rows(edit.run) });
    }
  } catch (error) {
    if (!(error instanceof ServerGone)) throw error;
  } finally {
    isSending = false;
  }
  return taken;
}

/** Sends an edit; false if it was refused. Error: `ServerGone`. */
async function send(cache: QueryClient, edit: WaitingEdit): Promise<boolean> {
  const { run, index, change, base } = edit;
  let revision: string | undefined;
  try {
    ({ revision } = await editResult(run, index, { result: change, revision: base }));
  } catch (error) {
    if (error instanceof ServerGone) throw error;
    revision = isConflict(error) ? await revisionWith(edit) : undefined;
    if (revision === undefined) refuse(edit, error);
  }
  if (revision === undefined) return false;
  // The result stays as it is shown until it is read again.
  cache.setQueryData<ReadResult>(
    keys.result(run, index),
    (page) => page && asChanged(page, change),
  );
  take(edit, revision);
  return true;
}

/** Sends a change of many results; false if it was refused. Error: `ServerGone`. */
async function sendBulk(edit: WaitingBulk): Promise<boolean> {
  const { run, bulk } = edit;
  const rest = () => edits.waiting.filter((other) => other !== edit);
  try {
    await editResults(run, bulk);
    // Later edits of the same results were made with this change in mind.
    const waiting = rest().map((other) =>
      !isBulk(other) && isOf(edit, other) ? { ...other, base: '' } : other,
    );
    set({ ...edits, waiting });
    return true;
  } catch (error) {
    if (error instanceof ServerGone) throw error;
    const [index = 0] = bulk.indices;
    const refused = { run, index, part: bulkPart, reason: messageOf(error) };
    set({ waiting: rest(), refused: [...edits.refused, refused] });
    return false;
  }
}

/** The part of a refused change of many results, whose input is not kept. */
export const bulkPart = 'bulk';

/** The revision of a result that already is as an edit makes it: its answer may have been lost. */
async function revisionWith({ run, index, change }: WaitingEdit): Promise<string | undefined> {
  const page = await getResult(run, index).catch((error: unknown) => {
    if (error instanceof ServerGone) throw error;
  });
  if (page === undefined) return undefined;
  const { result } = page.result;
  const isSame = JSON.stringify(asChanged(page, change).result.result) === JSON.stringify(result);
  return isSame ? page.revision : undefined;
}

function take(edit: WaitingEdit, revision: string): void {
  rebaseDrafts(edit, edit.base, revision);
  const rest = edits.waiting.filter((other) => other !== edit);
  set({
    ...edits,
    waiting: rest.map((other) =>
      !isBulk(other) && isSameResult(other, edit) && other.base === edit.base
        ? { ...other, base: revision }
        : other,
    ),
  });
}

/** The later edits of the same result build on it, so they are refused as well. */
function refuse(edit: WaitingEdit, error: unknown): void {
  const reason = isConflict(error)
    ? 'The result was changed elsewhere meanwhile.'
    : messageOf(error);
  // What was removed has no input to begin from.
  const lost = edits.waiting.filter(
    (other): other is WaitingEdit => !isBulk(other) && isSameResult(other, edit),
  );
  for (const { text, base, change: _, ...place } of lost) {
    if (text !== undefined) keepDraft(place, { text, base, isRefused: true });
  }
  const refused = lost.map(({ run, index, part }) => ({ run, index, part, reason }));
  set({
    waiting: edits.waiting.filter((other) => !(lost as readonly Waiting[]).includes(other)),
    refused: [...edits.refused, ...refused],
  });
}

function isBulk(edit: Waiting): edit is WaitingBulk {
  return 'bulk' in edit;
}

/** True if an edit changes a result. */
function isOf(edit: Waiting, place: Pick<DraftPlace, 'run' | 'index'>): boolean {
  return isBulk(edit)
    ? edit.run === place.run && edit.bulk.indices.includes(place.index)
    : isSameResult(edit, place);
}

function isSameResult(
  a: Pick<DraftPlace, 'run' | 'index'>,
  b: Pick<DraftPlace, 'run' | 'index'>,
): boolean {
  return a.run === b.run && a.index === b.index;
}

/** A result with a change that is not saved yet. */
function asChanged(page: ReadResult, change: ResultChange): ReadResult {
  const { result } = page.result;
  const scores = change.scores?.map((sent): Score => {
    if (!('key' in sent)) return sent as Score;
    const before = result.scores.find(({ key }) => key === sent.key);
    if (before === undefined) return { ...sent, source: 'human' } as Score;
    const { source: _, threshold: __, better: ___, ...plain } = before;
    return JSON.stringify(plain) === JSON.stringify(sent)
      ? before
      : ({ ...sent, source: 'human' } as Score);
  });
  return {
    ...page,
    result: {
      ...page.result,
      result: {
        ...result,
        ...(typeof change.annotation === 'string' && { annotation: change.annotation }),
        ...(scores && { scores }),
      },
    },
  };
}
