import { type ReactNode, useMemo, useState } from 'react';
import type { Json } from '../../../src/model/json.js';
import type { DiffPart } from '../../../src/text/word-diff.js';
import { diffWords } from '../../../src/text/word-diff.js';
import type { PromptDiff } from '../api/schema.js';
import { roleName } from '../calls/call-words.js';
import { RunTag } from '../compare/run-tag.js';
import { CopyButton } from '../components/controls/copy-button.js';
import { Switch } from '../components/controls/switch.js';
import { count, counted } from '../components/figures/figures.js';
import { Icon } from '../components/icons/icon.js';
import { visibleText } from '../result/values/visible-text.js';
import { type DiffLine, diffLinesOf, foldLines } from './line-diff.js';
import styles from './part-diffs.module.css';
import type { ShownPart } from './prompts-view.js';

/** What of the requests differs once for the run: instructions, tools, parameters. */
export function PartDiffs({ diff }: { diff: PromptDiff }) {
  const of = (part: ShownPart['part']) => diff.parts.filter((one) => one.part === part);
  const varying = (part: ShownPart['part']) => diff.varying.filter((one) => one.part === part);
  return (
    <>
      <SystemPrompts parts={of('system')} varying={varying('system')} />
      <div className={styles.pair}>
        <Table title="Tools" parts={of('tools')} varying={varying('tools')} rowsOf={toolRows} />
        <Table
          title="Parameters"
          parts={of('parameters')}
          varying={varying('parameters')}
          rowsOf={parameterRows}
        />
      </div>
    </>
  );
}

type Varying = PromptDiff['varying'];

function SystemPrompts({ parts, varying }: { parts: readonly ShownPart[]; varying: Varying }) {
  const [isShort, setShort] = useState(true);
  const differing = parts.filter(({ same }) => !same);
  // A role without instructions has nothing to say.
  const same = parts.filter((part) => part.same);
  const texts = differing.map(({ a, b }) => `A\n${text(a)}\n\nB\n${text(b)}`).join('\n\n');
  return (
    <section className={styles.section} id="system" aria-labelledby="system-title">
      <header>
        <h2 id="system-title">System prompt</h2>
        <span className="quiet">once for the run</span>
        <span className={styles.space} />
        {differing.length > 0 && (
          <>
            <Switch isOn={isShort} onChange={setShort}>
              Only what differs
            </Switch>
            <CopyButton label="Copy both" text={() => texts} />
          </>
        )}
      </header>
      {differing.map((part) => (
        <PromptDiffOf
          key={`${part.role} ${part.pairs} ${text(part.b)}`}
          of={part}
          isShort={isShort}
        />
      ))}
      {same.map(({ role, pairs }) => (
        <p key={`${role} ${pairs}`} className={styles.same}>
          <b className="mono">{visibleText(roleName(role))}</b> same in both,{' '}
          {counted(pairs, 'pair')}
        </p>
      ))}
      <Varied of={varying} what="system prompts" />
      {parts.length + varying.length === 0 && (
        <p className="quiet">No call of these runs was seen with its messages.</p>
      )}
    </section>
  );
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');

function PromptDiffOf({
  of: { role, pairs, evaluations, a, b },
  isShort,
}: {
  of: ShownPart;
  isShort: boolean;
}) {
  const lines = useMemo(() => diffLinesOf(text(a), text(b)), [a, b]);
  const shown = useMemo(() => foldLines(lines), [lines]);
  return (
    <>
      <p className={styles.head}>
        <b className="mono">{visibleText(roleName(role))}</b>{' '}
        <span>
          in {counted(pairs, 'pair')} of {counted(evaluations.length, 'evaluation')}
        </span>{' '}
        <span className="num">
          {a === undefined ? 'none' : count(text(a).split('\n').length)} →{' '}
          {b === undefined ? 'none' : count(text(b).split('\n').length)} lines
        </span>
      </p>
      <table className={styles.diff} aria-label={`System prompt ${role}, A against B`}>
        <tbody>
          {isShort
            ? shown.map((one) =>
                one.kind === 'line' ? (
                  <Line key={lineKey(one.line)} line={one.line} />
                ) : (
                  <Fold key={`fold ${lineKey(one.lines[0])}`} lines={one.lines} />
                ),
              )
            : lines.map((line) => <Line key={lineKey(line)} line={line} />)}
        </tbody>
      </table>
    </>
  );
}

const lineKey = (line: DiffLine | undefined) => `${line?.a} ${line?.b}`;

function Line({ line: { a, b, parts } }: { line: DiffLine }) {
  const isChange = parts.some(({ kind }) => kind !== 'same');
  return (
    <tr data-change={isChange}>
      <td className={styles.number}>{a}</td>
      <td className={styles.number}>{b}</td>
      <td className={styles.text}>
        <Marked parts={parts} />
      </td>
    </tr>
  );
}

function Marked({ parts }: { parts: readonly DiffPart[] }) {
  return parts.map(({ kind, text: piece }, n) =>
    kind === 'same' ? (
      visibleText(piece)
    ) : kind === 'removed' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts stay where they are.
      <del key={n}>{visibleText(piece)}</del>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts stay where they are.
      <ins key={n}>{visibleText(piece)}</ins>
    ),
  );
}

/** Equal lines, with their first words. */
function Fold({ lines }: { lines: readonly DiffLine[] }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return lines.map((line) => <Line key={lineKey(line)} line={line} />);
  const first = lines[0]?.parts[0]?.text.trim().slice(0, 60) ?? '';
  return (
    <tr>
      <td className={styles.number} />
      <td className={styles.number} />
      <td className={styles.text}>
        <button type="button" className={styles.fold} onClick={() => setOpen(true)}>
          <Icon name="right" small />
          {counted(lines.length, 'equal line')} <span>{visibleText(first)}</span>
        </button>
      </td>
    </tr>
  );
}

function Varied({ of, what }: { of: Varying; what: string }) {
  return of.map(({ role, pairs, a, b }) => (
    <p key={role} className={styles.same}>
      <b className="mono">{visibleText(roleName(role))}</b> differs from case to case in{' '}
      {counted(pairs, 'pair')}: {count(a)} {what} in A, {count(b)} in B
    </p>
  ));
}

/** A row of a table: what it is about, and what both runs have; `undefined` for nothing. */
interface DiffRow {
  readonly name: string;
  /** Of what it is a part. */
  readonly owner?: string;
  readonly a: string | undefined;
  readonly b: string | undefined;
}

interface Rows {
  readonly differing: readonly DiffRow[];
  readonly same: readonly string[];
}

function Table({
  title,
  parts,
  varying,
  rowsOf,
}: {
  title: string;
  parts: readonly ShownPart[];
  varying: Varying;
  rowsOf: (a: unknown, b: unknown) => Rows;
}) {
  const id = title.toLowerCase();
  const differing = parts.reduce((sum, { a, b }) => sum + rowsOf(a, b).differing.length, 0);
  const shown = parts
    .map((part) => ({ part, rows: rowsOf(part.a, part.b) }))
    .filter(({ rows }) => rows.differing.length + rows.same.length > 0);
  return (
    <section
      className={styles.section}
      id={id}
      aria-labelledby={`${id}-title`}
      data-outline={differing > 0 ? count(differing) : ''}
    >
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
      </header>
      {shown.map(({ part, rows }) => (
        <RoleTable
          key={`${part.role} ${part.pairs} ${JSON.stringify(part.b)}`}
          caption={`${title} of ${roleName(part.role)}`}
          role={part.role}
          pairs={part.pairs}
          rows={rows}
        />
      ))}
      <Varied of={varying} what={id} />
      {shown.length + varying.length === 0 && <p className="quiet">None in these runs.</p>}
    </section>
  );
}

function RoleTable({
  caption,
  role,
  pairs,
  rows: { differing, same },
}: {
  caption: string;
  role: string;
  pairs: number;
  rows: Rows;
}) {
  const names = same.slice(0, 4).join(', ');
  const more = same.length > 4 ? ` and ${same.length - 4} more` : '';
  return (
    <>
      <p className={styles.head}>
        <b className="mono">{visibleText(roleName(role))}</b>{' '}
        <span>in {counted(pairs, 'pair')}</span>
      </p>
      {differing.length > 0 && (
        <table className={styles.table} aria-label={caption}>
          <thead>
            <tr>
              <th>
                <span className="sr">name</span>
              </th>
              <th>
                <RunTag run={0} small />
              </th>
              <th>
                <RunTag run={1} small />
              </th>
            </tr>
          </thead>
          <tbody>
            {differing.map(({ name, owner, a, b }) => (
              <tr key={`${owner} ${name}`}>
                <th scope="row">
                  {owner === undefined ? visibleText(name) : <small>{visibleText(name)}</small>}
                </th>
                <td>
                  {a === undefined ? <span className="faint">not there</span> : visibleText(a)}
                </td>
                <td>
                  <After a={a} b={b} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {same.length > 0 && (
        <p className={styles.same} title={same.join(', ')}>
          {count(same.length)} same: {visibleText(names)}
          {more}
        </p>
      )}
    </>
  );
}

/** The value of B, with the words that A does not have. */
function After({ a, b }: { a: string | undefined; b: string | undefined }): ReactNode {
  if (b === undefined) return <del className={styles.gone}>not there</del>;
  if (a === undefined) return <ins>{visibleText(b)}</ins>;
  const parts = diffWords(a, b);
  if (parts === undefined) return <ins>{visibleText(b)}</ins>;
  return <Marked parts={parts.filter(({ kind }) => kind !== 'removed')} />;
}

function parameterRows(a: unknown, b: unknown): Rows {
  const [left, right] = [fieldsOf(a), fieldsOf(b)];
  const differing: DiffRow[] = [];
  const same: string[] = [];
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const [one, two] = [valueText(left[name]), valueText(right[name])];
    if (one === two) same.push(`${name} ${one}`);
    else differing.push({ name, a: one, b: two });
  }
  return { differing, same };
}

const isSame = (a: Json, b: Json) => JSON.stringify(a) === JSON.stringify(b);

function fieldsOf(value: unknown): Readonly<Record<string, Json>> {
  const isFields = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isFields ? (value as Record<string, Json>) : {};
}

function valueText(value: Json | undefined): string | undefined {
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
}

/** A tool that is offered, whatever the format of the provider. */
interface OfferedTool {
  readonly description: string;
  readonly properties: Readonly<Record<string, Json>>;
  readonly whole: Json;
}

function toolsOf(list: unknown): Map<string, OfferedTool> {
  const tools: readonly Json[] = Array.isArray(list) ? list : [];
  return new Map(
    tools.map((whole, n): [string, OfferedTool] => {
      const outer = fieldsOf(whole);
      const spec = fieldsOf(outer.toolSpec);
      const its = 'function' in outer ? fieldsOf(outer.function) : 'name' in spec ? spec : outer;
      const schema = fieldsOf(its.parameters ?? its.input_schema ?? its.parametersJsonSchema);
      const name = typeof its.name === 'string' ? its.name : String(outer.type ?? `tool ${n + 1}`);
      const description = typeof its.description === 'string' ? its.description : '';
      return [name, { description, properties: fieldsOf(schema.properties), whole }];
    }),
  );
}

function toolRows(a: unknown, b: unknown): Rows {
  const [left, right] = [toolsOf(a), toolsOf(b)];
  const differing: DiffRow[] = [];
  const same: string[] = [];
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const [one, two] = [left.get(name), right.get(name)];
    if (one && two && isSame(one.whole, two.whole)) same.push(name);
    else if (one && two) differing.push(...changedTool(name, one, two));
    else differing.push({ name, a: one && summaryOf(one), b: two && summaryOf(two) });
  }
  return { differing, same };
}

function summaryOf({ properties }: OfferedTool): string {
  return counted(Object.keys(properties).length, 'parameter');
}

function changedTool(name: string, one: OfferedTool, two: OfferedTool): DiffRow[] {
  const rows: DiffRow[] = [];
  if (one.description !== two.description) {
    rows.push({ name: 'description', owner: name, a: one.description, b: two.description });
  }
  for (const key of new Set([...Object.keys(one.properties), ...Object.keys(two.properties)])) {
    const [left, right] = [one.properties[key], two.properties[key]];
    if (left !== undefined && right !== undefined && isSame(left, right)) continue;
    rows.push({ name: key, owner: name, a: schemaText(left), b: schemaText(right) });
  }
  if (rows.length === 0) {
    rows.push({
      name: 'definition',
      owner: name,
      a: JSON.stringify(one.whole),
      b: JSON.stringify(two.whole),
    });
  }
  return [{ name, a: '', b: '' }, ...rows];
}

/** `string`, or the whole schema where that does not say it all. */
function schemaText(schema: Json | undefined): string | undefined {
  if (schema === undefined) return undefined;
  const fields = fieldsOf(schema);
  const isPlain = Object.keys(fields).length === 1 && typeof fields.type === 'string';
  return isPlain ? String(fields.type) : JSON.stringify(schema);
}
