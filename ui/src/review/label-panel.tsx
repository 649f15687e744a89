import { useEffect, useRef } from 'react';
import { classNames } from '../components/class-names.js';
import { Button, IconButton } from '../components/controls/button.js';
import { Kbd } from '../components/controls/kbd.js';
import { counted, figure } from '../components/figures/figures.js';
import { Icon } from '../components/icons/icon.js';
import { StatusIcon } from '../components/icons/status-icon.js';
import { MiddleCut } from '../components/names/middle-cut.js';
import { Markdown } from '../result/values/markdown.js';
import { ShownPart } from '../result/values/shown-part.js';
import { visibleText } from '../result/values/visible-text.js';
import styles from './label-panel.module.css';
import type { JudgeVerdict, LabelVerdict, SentLabel } from './outbox.js';
import type { QueueEntry } from './queries.js';
import type { Labelling } from './use-review.js';

/** Id of the field for the note. */
export const noteId = 'note';

/** The questions about a result, and what was labelled last. */
export function LabelPanel({ labelling }: { labelling: Labelling }) {
  const { entry, skip, undo, step, sent } = labelling;
  return (
    <aside className={styles.panel} aria-label="Your label">
      {entry?.keys.map((key, n) => (
        <Criterion
          key={`${entry.index} ${key}`}
          labelling={labelling}
          scoreKey={key}
          place={entry.keys.length > 1 ? `${n + 1} of ${entry.keys.length}` : ''}
        />
      ))}
      <div className={styles.actions}>
        <Button look="ghost" icon="skip" disabled={entry === undefined} onClick={skip}>
          Skip <Kbd>s</Kbd>
        </Button>
        <Button look="ghost" icon="undo" disabled={!sent.canUndo} onClick={undo}>
          Undo <Kbd>z</Kbd>
        </Button>
        <span className="fill" />
        <IconButton icon="up" label="Previous, k" onClick={() => step(-1)} />
        <IconButton icon="arrowDown" label="Next, j" onClick={() => step(1)} />
      </div>
      <Unsaved labelling={labelling} />
      <LastLabels labelling={labelling} />
    </aside>
  );
}

/** One score key: what people judge by, the verdict, and, after it, what the judge said. */
function Criterion({
  labelling,
  scoreKey,
  place,
}: {
  labelling: Labelling;
  scoreKey: string;
  /** `1 of 2`. */
  place: string;
}) {
  const { shown, verdicts, focus, label } = labelling;
  const isOn = labelling.key === scoreKey;
  const verdict = verdicts[scoreKey];
  const judge = shown?.judges[scoreKey];
  const rubric = shown?.rubrics[scoreKey]?.text;
  return (
    <section
      className={classNames(styles.criterion, isOn && styles.on)}
      aria-label={visibleText(scoreKey)}
    >
      <header>
        <h2>
          {isOn ? (
            visibleText(scoreKey)
          ) : (
            <button type="button" className={styles.choice} onClick={() => focus(scoreKey)}>
              {visibleText(scoreKey)}
            </button>
          )}
        </h2>
        {!isOn && verdict && <VerdictText verdict={verdict} />}
        <span className="faint">{place}</span>
      </header>
      {rubric !== undefined && (
        <div className={styles.rubric}>
          {isOn ? (
            <ShownPart text={visibleText(rubric)}>{(part) => <Markdown text={part} />}</ShownPart>
          ) : (
            <Markdown text={firstLine(rubric)} />
          )}
        </div>
      )}
      {isOn && (
        <VerdictButtons
          value={verdict}
          name={scoreKey}
          place={place}
          rubric={rubric}
          onChoose={label}
        />
      )}
      {(verdict === 'pass' || verdict === 'fail') && judge !== undefined ? (
        <Judged verdict={verdict} judge={judge} />
      ) : (
        isOn && (
          <p className={styles.hidden}>
            <Icon name="eyeOff" />
            {verdict === 'unsure'
              ? 'Judge’s verdict hidden until you pass or fail it.'
              : 'Judge’s verdict hidden until you label.'}
          </p>
        )
      )}
      {isOn && <Note key={labelling.entry?.index} labelling={labelling} scoreKey={scoreKey} />}
    </section>
  );
}

const choices = [
  { verdict: 'pass', text: 'Pass', standing: 'passed', key: '1' },
  { verdict: 'fail', text: 'Fail', standing: 'failed', key: '2' },
  { verdict: 'unsure', text: 'Unsure', standing: undefined, key: 'u' },
] as const;

function firstLine(rubric: string): string {
  return visibleText(rubric.trim().split('\n')[0] ?? '');
}

/** The verdicts; on a phone, a bar at the edge of the window that also says what is asked. */
function VerdictButtons({
  value,
  name,
  place,
  rubric,
  onChoose,
}: {
  value: LabelVerdict | undefined;
  name: string;
  /** `1 of 2`. */
  place: string;
  rubric: string | undefined;
  onChoose: (verdict: LabelVerdict) => void;
}) {
  return (
    <div className={styles.verdicts} role="group" aria-label={`Verdict of ${name}`}>
      <div className={styles.asked}>
        <button
          type="button"
          title="Show the rubric"
          onClick={({ currentTarget }) => currentTarget.closest('section')?.scrollIntoView()}
        >
          {visibleText(name)}
        </button>
        <span className="faint">{place}</span>
        {rubric !== undefined && (
          <div>
            <Markdown text={firstLine(rubric)} />
          </div>
        )}
      </div>
      {choices.map(({ verdict, text, standing, key }) => (
        <button
          key={verdict}
          type="button"
          aria-pressed={value === verdict}
          className={styles[verdict]}
          onClick={() => onChoose(verdict)}
        >
          {standing && <StatusIcon standing={standing} label={null} />}
          <span>{text}</span>
          <Kbd>{key}</Kbd>
        </button>
      ))}
    </div>
  );
}

function VerdictText({ verdict }: { verdict: LabelVerdict }) {
  return (
    <span className={styles.verdict}>
      <VerdictIcon verdict={verdict} />
      {verdict}
    </span>
  );
}

function VerdictIcon({ verdict }: { verdict: LabelVerdict }) {
  if (verdict !== 'pass' && verdict !== 'fail') return null;
  return <StatusIcon standing={verdict === 'pass' ? 'passed' : 'failed'} label={null} />;
}

/** True if both gave a verdict, and another one. */
function disagrees(verdict: LabelVerdict | null, judge: JudgeVerdict | null | undefined): boolean {
  if (judge?.passed === undefined || (verdict !== 'pass' && verdict !== 'fail')) return false;
  return judge.passed !== (verdict === 'pass');
}

/** What the judge said, after the label. */
function Judged({ verdict, judge }: { verdict: LabelVerdict; judge: JudgeVerdict }) {
  const { passed, value, notes = '' } = judge;
  const isOther = disagrees(verdict, judge);
  const isSame = passed !== undefined && !isOther && verdict !== 'unsure';
  return (
    <div className={classNames(styles.judged, isOther && styles.other)}>
      <p>
        {isOther && <b>You disagree.</b>}
        {isSame && <span>You agree.</span>}
        {passed === undefined ? (
          <span>The judge gives no verdict</span>
        ) : (
          <>
            <span>The judge says</span>
            <VerdictText verdict={passed ? 'pass' : 'fail'} />
          </>
        )}
        {value !== undefined && <span className="num">{figure(value)}</span>}
      </p>
      {notes !== '' && (
        <ShownPart text={visibleText(notes)}>
          {(part) => <blockquote className={styles.reason}>“{part}”</blockquote>}
        </ShownPart>
      )}
    </div>
  );
}

/** The note of a label: kept with it, and saved when the field is left if the label has been given. */
function Note({ labelling, scoreKey }: { labelling: Labelling; scoreKey: string }) {
  const { noteOf, keepNote, saveNote, shown } = labelling;
  const area = useRef<HTMLTextAreaElement>(null);
  const text = noteOf(scoreKey);
  // The field has its text by itself; what is read later is put into it unless somebody types.
  useEffect(() => {
    if (area.current && area.current !== document.activeElement) area.current.value = text;
  }, [text]);
  return (
    <div className={styles.note}>
      <textarea
        ref={area}
        id={noteId}
        aria-label={`Note for ${scoreKey}`}
        placeholder="Why? optional"
        rows={2}
        maxLength={100_000}
        disabled={shown === undefined}
        defaultValue={text}
        onChange={(event) => keepNote(scoreKey, event.currentTarget.value)}
        onBlur={() => saveNote(scoreKey)}
        onKeyDown={(event) => {
          const isEnd = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
          if (event.nativeEvent.isComposing || !(event.key === 'Escape' || isEnd)) return;
          // Leaves the field, not the page.
          event.preventDefault();
          event.stopPropagation();
          event.currentTarget.blur();
        }}
      />
      <span className={styles.noteKey}>
        <Kbd>n</Kbd>
      </span>
    </div>
  );
}

/** Labels that are not saved: the server does not answer, or refused them. */
function Unsaved({ labelling: { sent, outbox, entries } }: { labelling: Labelling }) {
  const waiting = sent.labels.filter(({ state }) => state === 'waiting').length;
  const refused = sent.labels.filter(({ state }) => state === 'refused');
  return (
    <div role="status">
      {sent.isAway && waiting > 0 && (
        <p className={styles.unsaved}>
          <span>
            <b>{counted(waiting, 'label')} not saved:</b> the server does not answer. They are kept
            here and sent again; leave the page open.
          </span>
          <Button small className={styles.again} onClick={outbox.retry}>
            Try now
          </Button>
        </p>
      )}
      {refused.length > 0 && (
        <div className={styles.unsaved}>
          <span>
            <b>{counted(refused.length, 'label')} not saved:</b> {refused.at(-1)?.problem}
            <ul>
              {refused.slice(-3).map((label) => (
                <li key={label.id}>
                  {nameOf(entries.find(({ index }) => index === label.index))}, {label.key}:{' '}
                  {label.verdict ?? 'taken back'}
                </li>
              ))}
            </ul>
          </span>
          <Button small className={styles.again} onClick={outbox.dismiss}>
            Dismiss
          </Button>
        </div>
      )}
    </div>
  );
}

/** Labels that are listed. */
const shownLabels = 3;

/** What was labelled last, and what the judge had said; the last disagreement with its reason. */
function LastLabels({ labelling: { sent, entries, entry, step, at } }: { labelling: Labelling }) {
  const isLast = (one: SentLabel, n: number) =>
    sent.labels.findLastIndex((other) => other.index === one.index && other.key === one.key) === n;
  const given = sent.labels.filter(
    (one, n) => isLast(one, n) && one.verdict !== null && one.state !== 'refused',
  );
  const shown = given.toReversed().slice(0, shownLabels);
  const [newest] = shown;
  if (newest === undefined) return null;
  const hasKeys = entries.some(({ keys }) => keys.length > 1);
  const isElsewhere = newest.index !== entry?.index;
  const back = entries.findIndex(({ index }) => index === newest.index);
  return (
    <section className={styles.last} aria-label="Just labelled">
      <h2>Just labelled</h2>
      {isElsewhere && disagrees(newest.verdict, newest.judge) && newest.judge && (
        <div className={styles.before}>
          <p>
            <button type="button" className="link mono" onClick={() => step(back - at)}>
              {nameOf(entries[back])}
            </button>
            {hasKeys && <span className="quiet"> {visibleText(newest.key)}</span>}
          </p>
          <Judged verdict={newest.verdict ?? 'unsure'} judge={newest.judge} />
        </div>
      )}
      <ol>
        {shown.map((one) => (
          <LabelLine
            key={one.id}
            label={one}
            entry={entries.find(({ index }) => index === one.index)}
            hasKey={hasKeys}
          />
        ))}
      </ol>
    </section>
  );
}

function LabelLine({
  label: { key, verdict, judge, state },
  entry,
  hasKey,
}: {
  label: SentLabel;
  entry: QueueEntry | undefined;
  /** There are several keys. */
  hasKey: boolean;
}) {
  const isOther = disagrees(verdict, judge);
  const word =
    state === 'waiting'
      ? 'not saved yet'
      : isOther
        ? 'disagree'
        : judge?.passed === undefined || (verdict !== 'pass' && verdict !== 'fail')
          ? (verdict ?? '')
          : 'agree';
  return (
    <li>
      <span className={classNames('mono', styles.name)}>
        <MiddleCut text={nameOf(entry)} />
        {hasKey && <span className="quiet"> {visibleText(key)}</span>}
      </span>
      <span className={styles.both}>
        {verdict !== null && (verdict === 'pass' || verdict === 'fail') && (
          <>
            <span className={styles.who}>you</span>
            <StatusIcon standing={verdict === 'pass' ? 'passed' : 'failed'} />
          </>
        )}
        {judge?.passed !== undefined && (
          <>
            <span className={styles.who}>judge</span>
            <StatusIcon standing={judge.passed ? 'passed' : 'failed'} />
          </>
        )}
      </span>
      <span className={isOther ? styles.disagree : 'faint'}>{word}</span>
    </li>
  );
}

/** The name of a result: its id without the file. */
function nameOf(entry: QueueEntry | undefined): string {
  return visibleText(entry?.id.replace(/^.*?::/, '') ?? '');
}
