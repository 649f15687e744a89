import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useNarrow } from '../../browser/use-media.js';
import { classNames } from '../../components/class-names.js';
import { IconButton } from '../../components/controls/button.js';
import { CopyButton } from '../../components/controls/copy-button.js';
import { Kbd } from '../../components/controls/kbd.js';
import { count } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import { cutAt, findDifferences, type Range } from '../diff/differences.js';
import marks from '../diff/marks.module.css';
import { FoldedSection } from '../section.js';
import { ShowAll } from '../values/shown-part.js';
import tree from '../values/tree.module.css';
import { rawText } from '../values/value-kind.js';
import { ValueSection } from '../values/value-section.js';
import { visibleText } from '../values/visible-text.js';
import { type ChangeSteps, useChangeSteps } from './change-steps.js';
import type { DiffPairParts } from './compared.js';
import styles from './paired-trees.module.css';
import { differingPlaces, type Paired, type PairedLine, pairedLines } from './paired-values.js';

/** Lines shown initially. */
const mostLines = 300;

/** Two trees side by side, a place on the same line in both; what is equal is folded. On a phone, the places that differ. */
export function PairedTrees({
  paired,
  choice,
  isAtFirst,
  ends: [end, diff],
  ...parts
}: DiffPairParts & { paired: Paired; choice: ReactNode }) {
  const isNarrow = useNarrow();
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const [isWhole, setWhole] = useState(false);
  const pair = useRef<HTMLDivElement>(null);
  const places = useMemo(() => differingPlaces(paired), [paired]);
  const steps = useChangeSteps({
    pair,
    count: places.length,
    onMissing: () => {
      setTurned(new Set());
      setWhole(true);
    },
    isAtFirst,
  });
  const turn = (id: string) => {
    const next = new Set(turned);
    if (!next.delete(id)) next.add(id);
    setTurned(next);
  };
  return (
    <div ref={pair}>
      <DifferenceBar steps={steps} paired={paired} places={places} diff={diff} />
      {isNarrow ? (
        <PlaceList {...parts} places={places} end={end} all={{ isWhole, setWhole }} />
      ) : (
        <Trees {...parts} ends={[choice, end]} all={{ isWhole, setWhole }}>
          {pairedLines(paired, turned).map((line) => ({ line, onTurn: () => turn(line.id) }))}
        </Trees>
      )}
    </div>
  );
}

/** How many values differ, which one is current, and the way to the others. */
function DifferenceBar({
  steps: { current, go },
  paired,
  places,
  diff,
}: {
  steps: ChangeSteps;
  paired: Paired;
  places: readonly Paired[];
  /** The switch that ends the marking of differences. */
  diff: ReactNode;
}) {
  const place = current === undefined ? undefined : places[current];
  return (
    <div className={styles.bar}>
      <span>
        <b>
          {count(paired.differing)} of {count(paired.values)}
        </b>{' '}
        values differ
      </span>
      <IconButton icon="up" label="Previous difference, [" small onClick={() => go(-1)} />
      <span role="status" className={styles.current}>
        {place && (
          <>
            <code className="cut">{visibleText(place.path)}</code>{' '}
            <span className="faint">
              {count((current ?? 0) + 1)} of {count(places.length)}
            </span>
          </>
        )}
      </span>
      <IconButton icon="arrowDown" label="Next difference, ]" small onClick={() => go(1)} />
      <span className={styles.keys}>
        <Kbd>[</Kbd>
        <Kbd>]</Kbd>
      </span>
      <span className="fill" />
      {diff}
    </div>
  );
}

/** Whether all lines are shown, however many. */
interface Whole {
  readonly isWhole: boolean;
  readonly setWhole: (isWhole: boolean) => void;
}

interface ShownLine {
  readonly line: PairedLine;
  readonly onTurn: () => void;
}

type Values = Pick<DiffPairParts, 'output' | 'other' | 'notes' | 'found'>;

function Trees({
  output,
  other,
  notes,
  ends: [choice, end],
  all: { isWhole, setWhole },
  children: lines,
}: Values & { ends: DiffPairParts['ends']; all: Whole; children: readonly ShownLine[] }) {
  const shown = isWhole || lines.length <= mostLines * 1.2 ? lines : lines.slice(0, mostLines);
  return (
    <>
      <div className={styles.trees} style={{ '--lines': shown.length } as object}>
        <FoldedSection
          title="Output"
          note={notes[0]}
          tools={
            <>
              {choice}
              <CopyButton label="Copy output" text={() => rawText(output)} />
              {end}
            </>
          }
        >
          <Tree side="output" lines={shown} />
        </FoldedSection>
        <FoldedSection
          title={other.title}
          kind={other.kind}
          note={notes[1]}
          tools={
            <CopyButton
              label={`Copy ${other.title.toLowerCase()}`}
              text={() => rawText(other.value)}
            />
          }
        >
          <Tree side="other" lines={shown} />
        </FoldedSection>
      </div>
      {shown.length < lines.length && (
        <p>
          … <ShowAll count={lines.length} noun="lines" onClick={() => setWhole(true)} />
        </p>
      )}
    </>
  );
}

function Tree({ side, lines }: { side: 'output' | 'other'; lines: readonly ShownLine[] }) {
  return (
    <ul className={classNames(tree.tree, styles.tree)}>
      {lines.map(({ line, onTurn }) => (
        <li key={line.id} style={{ '--depth': line.depth } as object}>
          <TreeLine line={line} side={side} onTurn={onTurn} />
        </li>
      ))}
    </ul>
  );
}

function TreeLine({
  line: { kind, places, isOpen },
  side,
  onTurn,
}: {
  line: PairedLine;
  side: 'output' | 'other';
  onTurn: () => void;
}) {
  const [place] = places;
  if (place === undefined) return null;
  const its = place[side];
  const key = its && <span className={tree.key}>{visibleText(String(its.key))}</span>;
  if (kind === 'leaf') {
    return (
      <div className={classNames(tree.line, place.differing > 0 && styles.differs)}>
        <span className={tree.twist} />
        {key}
        <Value place={place} side={side} />
      </div>
    );
  }
  const names = places.map((one) => String(one[side]?.key)).slice(0, 20);
  return (
    <button type="button" className={tree.line} aria-expanded={isOpen} onClick={onTurn}>
      <span className={tree.twist}>
        <Icon name={isOpen ? 'down' : 'right'} small />
      </span>
      {kind === 'branch' ? (
        <>
          {key}
          <span className={tree.size}>
            {sizeOf(its?.value)}
            {place.differing === 0 && ' equal'}
          </span>
        </>
      ) : (
        <span className={tree.preview}>
          {count(places.length)} equal: {visibleText(names.join(', '))}
        </span>
      )}
    </button>
  );
}

function sizeOf(value: unknown): string {
  const size = count(Object.keys(value ?? {}).length);
  return Array.isArray(value) ? `[ ${size} ]` : `{ ${size} }`;
}

/** Texts that are longer than this are compared word by word, in characters. */
const longWord = 40;

/** Characters of a value that are shown initially, and those of them before its first difference. */
const [shownAtFirst, before] = [600, 120];

/** A value as JSON, marked if the other side has another. */
function Value({ place, side }: { place: Paired; side: 'output' | 'other' }) {
  const [isAll, setAll] = useState(false);
  const text = jsonOf(place, side);
  const ranges = useMemo(() => rangesOf(place, side), [place, side]);
  if (text === undefined) {
    return (
      <mark className={styles.absent} data-change={place.first}>
        not there
      </mark>
    );
  }
  const isCut = !isAll && text.length > shownAtFirst * 1.2;
  const start = isCut ? Math.max(0, (ranges[0]?.start ?? 0) - before) : 0;
  const shown = isCut ? text.slice(start, start + shownAtFirst) : text;
  return (
    <span className={tree.text}>
      {start > 0 && '… '}
      {cutAt(shown, ranges, start).map(({ text: piece, start: at, isMarked }) =>
        isMarked ? (
          <mark
            key={at}
            className={side === 'output' ? marks.ins : marks.miss}
            data-change={place.first}
          >
            {piece}
          </mark>
        ) : (
          piece
        ),
      )}
      {isCut && (
        <>
          … <ShowAll count={text.length} noun="characters" onClick={() => setAll(true)} />
        </>
      )}
    </span>
  );
}

function jsonOf(place: Paired, side: 'output' | 'other'): string | undefined {
  const its = place[side];
  if (its === undefined) return undefined;
  return visibleText(JSON.stringify(its.value) ?? String(its.value));
}

/** What is marked of a value: the words that differ of a long text, else all of it. */
function rangesOf(place: Paired, side: 'output' | 'other'): readonly Range[] {
  const own = jsonOf(place, side) ?? '';
  if (place.differing === 0) return [];
  const [output, other] = [jsonOf(place, 'output') ?? '', jsonOf(place, 'other') ?? ''];
  if (Math.min(output.length, other.length) > longWord) {
    const found = findDifferences(other, output);
    const ranges = side === 'output' ? found.after : found.before;
    // Where one side only has more, the other has nothing to mark.
    if (ranges.length > 0) return ranges;
  }
  return [{ start: 0, end: own.length, change: 0 }];
}

/** The places that differ, one below the other, and both values whole, folded. */
function PlaceList({
  output,
  other,
  notes,
  found,
  places,
  end,
  all: { isWhole, setWhole },
}: Values & { places: readonly Paired[]; end: ReactNode; all: Whole }) {
  const most = mostLines / 3;
  const shown = isWhole ? places : places.slice(0, most);
  return (
    <>
      <ul className={classNames(tree.tree, styles.places)} aria-label="Values that differ">
        {shown.map((place) => (
          <li key={place.id}>
            <b>{visibleText(place.path)}</b>
            <dl>
              <dt>output</dt>
              <dd>
                <Value place={place} side="output" />
              </dd>
              <dt>{other.kind === 'Reference' ? 'reference' : 'base'}</dt>
              <dd>
                <Value place={place} side="other" />
              </dd>
            </dl>
          </li>
        ))}
      </ul>
      {shown.length < places.length && (
        <p>
          … <ShowAll count={places.length} noun="differences" onClick={() => setWhole(true)} />
        </p>
      )}
      <ValueSection
        title="Output"
        kind="Whole output"
        value={output}
        found={found}
        note={notes[0]}
        isFoldedAtFirst
        end={end}
      />
      <ValueSection
        title={other.title}
        kind="Whole reference"
        value={other.value}
        note={notes[1]}
        isFoldedAtFirst
      />
    </>
  );
}
