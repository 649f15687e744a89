import type { ReactNode } from 'react';
import { spanOutcome } from '../../../../src/model/calls/nested-trace.js';
import type { StoredCall } from '../../../../src/model/calls/stored-calls.js';
import { hasAllTokens } from '../../../../src/model/calls/usage.js';
import { classNames } from '../../components/class-names.js';
import { bracketed, costFigure } from '../../components/figures/cost-text.js';
import { count, duration, seconds } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { visibleText } from '../values/visible-text.js';
import styles from './calls.module.css';
import { isFailed, outcomeOf } from './stored-call.js';
import type { Axis, CallRow, TimelineFold, TimelineRow } from './timeline-rows.js';

/** The heads of the columns, with the ruler of the time. */
export function TimelineHead({ axis, hasTokens }: { axis: Axis; hasTokens: boolean }) {
  const last = axis.ticks.length - 1;
  return (
    <div className={classNames(styles.line, styles.head)} role="row" aria-rowindex={1}>
      <span role="columnheader">{hasTokens ? 'call' : 'span'}</span>
      <span role="columnheader" className={styles.ruler}>
        <b className="sr">Seconds, 0 to {tickText(axis.end)}</b>
        {axis.ticks.map((tick, n) => (
          <span key={tick} aria-hidden="true" style={{ left: `${(100 * tick) / axis.end}%` }}>
            {tickText(tick)}
            {n === last && ' s'}
          </span>
        ))}
      </span>
      {hasTokens && (
        <>
          <span role="columnheader" className={styles.in}>
            <small>cached</small> in
          </span>
          <span role="columnheader" className={styles.out}>
            out
          </span>
          <span role="columnheader" className={styles.cost}>
            $
          </span>
        </>
      )}
      <span role="columnheader" className={styles.finish}>
        finish
      </span>
    </div>
  );
}

function tickText(tick: number): string {
  return String(Number(tick.toPrecision(6)));
}

/** A line of the timeline. */
export function TimelineLine({
  row,
  axis,
  position,
  fold,
  isUnfolded,
  hasTokens,
  isSlowest,
  from,
  ends,
  isCurrent,
  isOpen,
  onFocus,
  onToggle,
  onUnfold,
}: {
  row: TimelineRow;
  axis: Axis;
  position: number;
  /** The lines that fold under this one, if any. */
  fold: TimelineFold | undefined;
  isUnfolded: boolean;
  hasTokens: boolean;
  isSlowest: boolean;
  /** The other run that made the calls which this one has not spent. */
  from: string | undefined;
  /** Length of the end of each name that tells it from the others. */
  ends: ReadonlyMap<string, number>;
  isCurrent: boolean;
  isOpen: boolean;
  onFocus: () => void;
  onToggle: () => void;
  onUnfold: () => void;
}) {
  const isCall = row.kind === 'call';
  const isGroup = row.kind === 'group';
  const outcome = isCall ? outcomeOf(row.call) : isGroup ? '' : spanOutcome(row.span);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its rows
    <div
      className={classNames(
        styles.line,
        isGroup && styles.group,
        (row.kind === 'span' || (isCall && row.call.model_call === undefined)) && styles.other,
        isGroup && row.isApart && styles.apart,
        isOpen && styles.isOpen,
      )}
      style={{ '--level': row.level } as object}
      role="row"
      aria-level={row.level}
      aria-rowindex={position}
      aria-expanded={isGroup ? undefined : isOpen}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={onFocus}
      onClick={isGroup ? undefined : onToggle}
    >
      <span role="rowheader" className={styles.name}>
        <span className={styles.twist}>
          {!isGroup && <Icon name={isOpen ? 'down' : 'right'} small />}
        </span>
        <b>
          <MiddleCut text={visibleText(row.name)} end={ends.get(row.name)} />
        </b>{' '}
        {isCall && row.detail !== undefined && (
          <span className="cut" title={row.detail}>
            {visibleText(row.detail)}
          </span>
        )}
        {isCall && isFailed(row.call) && <StatusIcon standing="error" size="chip" />}
        {isCall && row.call.replayed === true && (
          <small
            className={styles.replayed}
            title={
              row.call.shared === true ? 'Replayed from a recording of another case' : undefined
            }
          >
            {row.call.shared === true ? 'shared' : 'replayed'}
          </small>
        )}
        {isGroup && !row.isSpent && from !== undefined && (
          <small className="cut" title={`These calls were made in ${visibleText(from)}`}>
            from {visibleText(from)}
          </small>
        )}
        {fold && (
          <button
            type="button"
            tabIndex={-1}
            className={styles.fold}
            aria-expanded={isUnfolded}
            onClick={(event) => {
              event.stopPropagation();
              onUnfold();
            }}
          >
            {fold.words}
          </button>
        )}
      </span>
      <span role="gridcell" className={styles.bars}>
        {fold && !isUnfolded && isCall && (
          <i className={styles.thin} style={placed(fold.start, fold.end, axis)} />
        )}
        {isCall && (
          <CallBar
            row={row}
            axis={axis}
            until={isUnfolded ? undefined : fold?.end}
            isSlowest={isSlowest}
          />
        )}
        {!isCall && <PlainBar {...row} isWhole={row.kind === 'group' || row.isWhole} axis={axis} />}
      </span>
      {hasTokens && <Figures row={row} />}
      <span role="gridcell" className={styles.finish} title={outcome}>
        <span className={classNames('cut', isCall && isFailed(row.call) && styles.failed)}>
          {visibleText(outcome)}
        </span>
      </span>
    </div>
  );
}

/** Tokens and cost. */
function Figures({ row }: { row: TimelineRow }) {
  const isCall = row.kind === 'call';
  const totals = row.kind === 'group' ? row.totals : undefined;
  const used = isCall ? row.call.model_call?.usage : totals;
  const cost = isCall ? row.call.cost : totals?.cost;
  const { cache_read: cached = 0, input, output } = used ?? {};
  // Providers do not charge for refused calls.
  const isSpent = row.kind === 'span' || row.isSpent;
  const isFree = isCall && cost === 0 && isFailed(row.call);
  return (
    <>
      <span role="gridcell" className={styles.in}>
        {cached > 0 && <small title="read from the cache of the provider">{count(cached)}</small>}{' '}
        {input !== undefined && count(input)}
        {isCall && isFailed(row.call) && row.call.model_call && input === undefined && (
          <span className="faint">none</span>
        )}
      </span>
      <span role="gridcell" className={styles.out}>
        {output !== undefined && count(output)}
      </span>
      <span
        role="gridcell"
        className={classNames(styles.cost, cost === null && styles.unpriced)}
        title={costTitle(cost, isSpent, isCall ? row.call : undefined)}
      >
        {cost !== undefined &&
          !isFree &&
          (isSpent || cost !== 0) &&
          bracketed(costFigure({ ...totals, ...(isCall && lackOf(row.call)), cost }), !isSpent)}
      </span>
    </>
  );
}

function costTitle(
  cost: number | null | undefined,
  isSpent: boolean,
  call: StoredCall | undefined,
): string | undefined {
  if (call?.replayed === true) return 'What the recording cost, not spent again.';
  if (!isSpent) return 'What it cost when it ran, not spent by this run.';
  if (cost !== null) return undefined;
  if (call?.program !== undefined) return 'What the program calls is not seen.';
  if (call?.unknown_model_call) return 'It looks like a call of a model, and is not understood.';
  if (call && !hasAllTokens(call.model_call ?? {})) return 'It reported no tokens.';
  return call ? 'The price of this model is not known.' : 'The cost is not known.';
}

/** What the cost of a call lacks. */
function lackOf({ model_call: exchange, program }: StoredCall) {
  if (program !== undefined) return { unpriced: 1, programs: 1 };
  if (exchange === undefined) return { unpriced: 1, unknown_calls: 1 };
  return hasAllTokens(exchange) ? {} : { unpriced: 1, without_tokens: 1 };
}

const percent = (part: number, of: number) => `${(100 * part) / of}%`;

function placed(start: number, end: number, axis: Axis) {
  return { left: percent(start, axis.end), width: percent(end - start, axis.end) };
}

/** `0.10 to 2.00 s`. */
function rangeText(start: number, end: number | undefined): string {
  return end === undefined
    ? `${seconds(start)} s, not ended`
    : `${seconds(start)} to ${seconds(end)} s`;
}

function CallBar({
  row: { call, waitUntil = 0 },
  axis,
  until = 0,
  isSlowest,
}: {
  row: CallRow;
  axis: Axis;
  isSlowest: boolean;
  /** End of what is folded under the call. */
  until?: number | undefined;
}) {
  const { start, first_token: first, end: ended, late, waited = 0, model_call } = call;
  const { recorded_duration: recorded, shared, replayed } = call;
  const end = ended ?? axis.end;
  const took = Math.max(0, end - start);
  const shown = replayed === true ? recorded : took;
  const wait = waitUntil - end;
  const failed = isFailed(call);
  const words = [
    rangeText(start, ended),
    isSlowest ? 'slowest' : '',
    first === undefined ? '' : `first token after ${duration(Math.max(0, first - start))}`,
    waited > 0 ? `waited ${duration(waited)} before` : '',
    late === true ? 'ended after its attempt' : '',
    replayed === true ? 'replayed' : '',
    shared === true ? 'shared with other cases' : '',
    recorded === undefined ? '' : `took ${duration(recorded)} when it was recorded`,
  ].filter(Boolean);
  const hasFirst = model_call !== undefined && !failed && replayed !== true && ended !== undefined;
  return (
    <>
      <span className="sr">{words.join(', ')}</span>
      {waited > 0 && (
        <i className={styles.wait} style={placed(Math.max(0, start - waited), start, axis)} />
      )}
      <i
        className={classNames(
          model_call === undefined ? styles.thin : styles.bar,
          failed && styles.bad,
          replayed === true && styles.recorded,
          ended === undefined && styles.endless,
        )}
        style={placed(start, start + took, axis)}
      >
        {first !== undefined && hasFirst && (
          <em style={{ width: percent(Math.max(0, Math.min(first, end) - start), took || 1) }} />
        )}
      </i>
      {wait > 0 && <i className={styles.wait} style={placed(end, waitUntil, axis)} />}
      <After
        from={start - waited}
        at={Math.max(end, waitUntil, until)}
        axis={axis}
        isRead={wait > 0}
      >
        {wait > 0 ? (
          `waited ${duration(wait)}`
        ) : isSlowest ? (
          <>
            <strong>{seconds(took)}</strong> <small className={styles.slowest}>slowest</small>
          </>
        ) : (
          shown !== undefined && seconds(shown)
        )}
        {waited > 0 && `, waited ${duration(waited)}`}
      </After>
    </>
  );
}

/** The bar of a role, or of a span: also a tool that failed is grey, for that is no error of the model. */
function PlainBar({
  start,
  end: ended,
  isWhole,
  axis,
}: Pick<TimelineRow, 'start' | 'end'> & { isWhole: boolean; axis: Axis }) {
  const end = ended ?? axis.end;
  return (
    <>
      <span className="sr">{rangeText(start, ended)}</span>
      <i
        className={classNames(
          isWhole ? styles.whole : styles.thin,
          ended === undefined && styles.endless,
        )}
        style={placed(start, end, axis)}
      />
      <After from={start} at={end} axis={axis}>
        {seconds(end - start)}
      </After>
    </>
  );
}

/** The part of the axis in which a figure after a bar has room. */
const roomAfter = 0.8;

/** A figure after the end of a bar; before it where there is no room. */
function After({
  from,
  at,
  axis,
  isRead = false,
  children,
}: {
  /** Begin and end of the bar, in seconds. */
  from: number;
  at: number;
  axis: Axis;
  /** It is not said otherwise. */
  isRead?: boolean;
  children: ReactNode;
}) {
  const isBefore = at > roomAfter * axis.end && from > (1 - roomAfter) * axis.end;
  return (
    <span
      className={styles.after}
      aria-hidden={!isRead}
      style={
        isBefore ? { right: percent(axis.end - from, axis.end) } : { left: percent(at, axis.end) }
      }
    >
      {children}
    </span>
  );
}
