import { type RefObject, useMemo, useState } from 'react';
import { placeOn } from '../../../../src/model/scores/score.js';
import { countOf } from '../../../../src/text/count-text.js';
import type { Score } from '../../api/schema.js';
import { isReport } from '../../app/report-mode.js';
import { useShortcut } from '../../app/shortcuts.js';
import { classNames } from '../../components/class-names.js';
import { Button, IconButton } from '../../components/controls/button.js';
import { Field } from '../../components/controls/field.js';
import { Kbd } from '../../components/controls/kbd.js';
import { count } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { tellingEnds } from '../../components/names/telling-end.js';
import { isDrawn } from '../../components/scores/drawn-notes.js';
import { gradedValue } from '../../components/scores/threshold-text.js';
import { useEditor } from '../editing/edit-form.js';
import type { EditedResult } from '../editing/use-result-edit.js';
import { Section } from '../section.js';
import { ShownPart } from '../values/shown-part.js';
import { visibleText } from '../values/visible-text.js';
import { GradeBox, type Grading, placedAs } from './grading.js';
import { ScoreEditor } from './score-editor.js';
import styles from './score-list.module.css';

/** With more scores, they fold to lines, in groups with captions. */
const mostUnfolded = 12;

/** True for so many scores that each is one line. */
export const isManyScores = (scores: readonly Score[]) => scores.length > mostUnfolded;

const kinds = {
  failing: ({ passed }: Score) => passed === false,
  values: ({ passed }: Score) => passed === undefined,
  passing: ({ passed }: Score) => passed === true,
};

/** The scores whose key or notes contain a text with their places, failing first. */
function scoreGroups(scores: readonly Score[], filter: string, made: Grading['made'] = []) {
  const wanted = filter.trim().toLowerCase();
  const found = scores
    .map((score, place) => ({ score, place }))
    .filter(({ score: { key, notes = '' } }) => `${key}\n${notes}`.toLowerCase().includes(wanted));
  return Object.entries(kinds)
    .map(([kind, isIn]) => ({
      kind,
      scores: found.filter(({ score }) => isIn(placedAs(score, made))),
    }))
    .filter((group) => group.scores.length > 0);
}

/** With more scores there is a field that filters them. */
const mostUnfiltered = 10;

/** The scores of a result, failing first, each editable in place. */
export function ScoreList({
  scores,
  filter: field,
  title = 'Scores',
  grading,
  ...result
}: EditedResult & {
  scores: readonly Score[];
  title?: string;
  /** They are those of the attempt that counts, where that is another one. */
  isOfCounted?: boolean;
  /** Will be the field that filters them; absent for none. */
  filter?: RefObject<HTMLInputElement | null>;
  /** Grades the focused one by keys; absent for none. */
  grading?: Grading;
}) {
  const [editor, edit] = useEditor();
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState<string>();
  const groups = useMemo(
    () => scoreGroups(scores, filter, grading?.made),
    [scores, filter, grading?.made],
  );
  const ends = useMemo(() => tellingEnds(scores.map(({ key }) => key)), [scores]);
  const isMany = isManyScores(scores);
  const failing = scores.filter(({ passed }) => passed === false).length;
  const editorAt = (place: number | undefined) => (
    <li key={place ?? 'new'} className={styles.edited}>
      <ScoreEditor {...result} scores={scores} place={place} onClose={() => edit(undefined)} />
    </li>
  );
  return (
    <Section
      title={title}
      className={styles.section}
      outline={failing > 0 ? `${count(failing)} failed` : count(scores.length)}
      note={
        <>
          {count(scores.length)}
          {failing > 0 && (
            <>
              , <b className="c-fail">{count(failing)} failing</b>
            </>
          )}
        </>
      }
      tools={
        <Button look="ghost" small icon="plus" onClick={() => edit('new score')}>
          Add
        </Button>
      }
    >
      {field && scores.length > mostUnfiltered && (
        <ScoreFilter field={field} text={filter} count={scores.length} onChange={setFilter} />
      )}
      <ul className={isMany ? undefined : styles.list}>
        {groups.map(({ kind, scores: its }) => [
          isMany && kind !== 'failing' && (
            <li key={kind} className={styles.caption}>
              {kind === 'values' ? countOf(its.length, 'value') : `${count(its.length)} ${kind}`}
            </li>
          ),
          its.map(({ score, place }) => {
            const name = nameAt(scores, place);
            if (editor === name) return editorAt(place);
            const onEdit = () => edit(name);
            const own = grading?.score?.key === score.key ? grading : undefined;
            return isMany ? (
              <FoldedScore
                key={name}
                score={score}
                end={ends.get(score.key)}
                isOpen={open === name}
                onToggle={() => {
                  setOpen(open === name ? undefined : name);
                  grading?.focus(score.key);
                }}
                onEdit={onEdit}
                grading={own}
              />
            ) : (
              <ScoreLine
                key={name}
                score={score}
                onEdit={onEdit}
                onFocus={grading && (() => grading.focus(score.key))}
                grading={own}
              />
            );
          }),
        ])}
        {editor === 'new score' && editorAt(undefined)}
      </ul>
      {scores.length === 0 && editor !== 'new score' && <p className="faint">No scores.</p>}
      {scores.length > 0 && groups.length === 0 && (
        <p className="faint">No score with this in its name or notes.</p>
      )}
    </Section>
  );
}

/** Filters by a part of the key or notes; `/` leads to it, Esc clears it and then leaves it. */
function ScoreFilter({
  field,
  text,
  count: all,
  onChange,
}: {
  field: RefObject<HTMLInputElement | null>;
  text: string;
  count: number;
  onChange: (text: string) => void;
}) {
  useShortcut('search', () => field.current?.focus());
  return (
    <Field
      ref={field}
      icon="filter"
      label="Filter scores"
      placeholder={`Filter ${count(all)} scores`}
      className={styles.filter}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        if (text === '') event.currentTarget.blur();
        else onChange('');
      }}
      end={<Kbd>/</Kbd>}
    />
  );
}

/** Keys of scores may repeat; then they are counted. */
function nameAt(scores: readonly Score[], place: number): `score ${string}` {
  const key = scores[place]?.key ?? '';
  return `score ${scores.slice(0, place).filter((score) => score.key === key).length} ${key}`;
}

/** What a line of a score needs. */
interface LineProps {
  readonly score: Score;
  readonly onEdit: () => void;
  /** Present for the one that keys grade. */
  readonly grading: Grading | undefined;
}

/** A score with its notes, and a button that edits it. `onFocus`: keys grade it from then on. */
function ScoreLine({
  score,
  onEdit,
  onFocus,
  grading,
}: LineProps & { onFocus: (() => void) | undefined }) {
  const { key, value, notes } = score;
  return (
    <li className={classNames(styles.item, grading && styles.focused)}>
      <div className={styles.line}>
        <Verdict score={score} />
        {onFocus && !grading ? (
          <button type="button" className={styles.key} onClick={onFocus}>
            {visibleText(key)}
          </button>
        ) : (
          <span className={styles.key}>{visibleText(key)}</span>
        )}
        {value !== undefined && <b title={String(value)}>{gradedValue(value, score)}</b>}
        <Scale score={score} />
        <ByHand score={score} isNow={grading?.made.at(-1)?.was.key === key} />
        <span className={styles.space} />
        <Pencil name={key} onClick={onEdit} />
      </div>
      <Notes text={notes} />
      {grading && <GradeBox grading={grading} />}
    </li>
  );
}

/** A score on one line, of which the notes open. */
function FoldedScore({
  score,
  end,
  isOpen,
  onToggle,
  onEdit,
  grading,
}: LineProps & {
  /** Length of the end of the key that is never cut. */
  end: number | undefined;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const { key, passed, value, notes = '' } = score;
  const isFailing = passed === false;
  const figure = value !== undefined && <b title={String(value)}>{gradedValue(value, score)}</b>;
  const content = (
    <>
      <Verdict score={score} />
      <span className={styles.name}>
        <MiddleCut text={visibleText(key)} end={end} />
      </span>
      <ByHand score={score} />
      {isFailing && figure}
      {isFailing && !isOpen && notes !== '' ? (
        <span className={classNames('cut', styles.note)}>{visibleText(notes)}</span>
      ) : (
        <span className={styles.space} />
      )}
      {!isFailing && <Scale score={score} />}
      {!isFailing && figure}
    </>
  );
  return (
    <li className={classNames(isFailing && styles.failed, grading && styles.focused)}>
      <div className={styles.foldedLine}>
        {notes === '' ? (
          <span className={classNames(styles.toggle, styles.withoutNotes)}>{content}</span>
        ) : (
          <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={onToggle}>
            {content}
            <Icon name={isOpen ? 'down' : 'right'} small />
          </button>
        )}
        <Pencil name={key} onClick={onEdit} />
      </div>
      {isOpen && <Notes text={notes} />}
      {grading && <GradeBox grading={grading} />}
    </li>
  );
}

function Verdict({ score: { passed } }: { score: Score }) {
  return passed === undefined ? (
    <span className={styles.noVerdict} />
  ) : (
    <StatusIcon standing={passed ? 'passed' : 'failed'} />
  );
}

function Scale({ score: { value, scale } }: { score: Score }) {
  const place = value === undefined ? undefined : placeOn(value, scale);
  if (place === undefined) return null;
  return (
    <span className={styles.scale} aria-hidden="true">
      <i style={{ left: `${place * 100}%` }} />
    </span>
  );
}

function ByHand({ score: { source, inexact }, isNow = false }: { score: Score; isNow?: boolean }) {
  const byHand = isNow ? 'by hand, now' : 'by hand';
  const mark = source === 'human' ? byHand : inexact === true ? 'of the stored form' : undefined;
  return mark === undefined ? null : <span className={styles.hand}>{mark}</span>;
}

function Pencil({ name, onClick }: { name: string; onClick: () => void }) {
  if (isReport) return null;
  return (
    <IconButton
      icon="pencil"
      label={`Edit ${visibleText(name)}`}
      small
      className={styles.pencil}
      onClick={onClick}
    />
  );
}

function Notes({ text }: { text: string | undefined }) {
  if (text === undefined || text === '') return null;
  return (
    <ShownPart text={visibleText(text)}>
      {(part) => <p className={classNames(styles.notes, isDrawn(text) && styles.drawn)}>{part}</p>}
    </ShownPart>
  );
}
