import { AssayError } from '../../errors.js';
import { isSameJson, type Json, type JsonObject } from '../../model/json.js';
import { mostVariants } from '../../model/option-ranges.js';
import { cutText, renderParams, shortText } from '../../model/param-text.js';
import { countOf } from '../../text/count-text.js';

/** Of a name that is made of values; a run name may have 100 characters. */
const longestName = 90;

/** One of the runs of a command. Without `runConfig` it has that of the command. */
export interface RunVariant {
  /** What differs from the others, such as `large v15`; default: made of it. */
  readonly name?: string;
  readonly runConfig?: string;
  readonly params: JsonObject;
}

/** A variant with its name. */
export type NamedVariant = RunVariant & { readonly name: string };

/**
 * All combinations of the values of params, and of run configs; the last param varies first. Error: `usage` for more than
 * {@link mostVariants}, before they are made.
 */
export function gridOf(
  values: ReadonlyMap<string, readonly Json[]>,
  runConfigs: readonly string[] = [],
): RunVariant[] {
  const sizes = [
    Math.max(1, runConfigs.length),
    ...[...values.values()].map(({ length }) => length),
  ];
  checkNumber(sizes.reduce((product, size) => product * size, 1));
  const base: RunVariant[] = runConfigs.map((runConfig) => ({ runConfig, params: {} }));
  return [...values].reduce(
    (variants, [name, list]) =>
      variants.flatMap((one) =>
        list.map((value) => ({ ...one, params: { ...one.params, [name]: value } })),
      ),
    base.length > 0 ? base : [{ params: {} }],
  );
}

function checkNumber(variants: number): void {
  if (variants <= mostVariants) return;
  throw new AssayError(
    'usage',
    `This makes ${countOf(variants, 'variant')}; at most ${mostVariants} can be compared at once.`,
    {
      hints: [
        'Compare fewer values first, or name the combinations that matter in a file: --variants FILE.',
      ],
    },
  );
}

/**
 * Gives each variant a name: its own, or what differs between them. Error: `usage` for two that are equal, two with one name,
 * or too many. `redact` removes secrets from names that are made.
 */
export function nameVariants(
  variants: readonly RunVariant[],
  redact = (text: string) => text,
): NamedVariant[] {
  checkNumber(variants.length);
  const varying = varyingNames(variants);
  const named: NamedVariant[] = [];
  variants.forEach((of, at) => {
    const made = of.name ?? nameOf(of, varying, redact);
    // Long values may differ only where they are cut off.
    const isTaken = of.name === undefined && named.some(({ name }) => name === made);
    const one = { ...of, name: isTaken ? `${made} (${at + 1})` : made };
    const before = [...named];
    named.push(one);
    const equal = before.findIndex((other) => isSameVariant(one, other));
    if (equal !== -1) throw equalVariants(variants, equal, at);
    if (before.some(({ name }) => name === one.name)) {
      throw new AssayError('usage', `Two variants have the name ${one.name}.`);
    }
  });
  return named;
}

/** Names what was given, not what was made of it: names of equal variants would tell nothing apart. */
function equalVariants(all: readonly RunVariant[], first: number, second: number): AssayError {
  const [one, other] = [all[first], all[second]];
  const { runConfig, params = {} } = one ?? {};
  const names = [one?.name, other?.name].every((name) => name !== undefined)
    ? ` (${one?.name}, ${other?.name})`
    : '';
  const given = [
    ...(runConfig === undefined ? [] : [`run config ${runConfig}`]),
    ...(Object.keys(params).length === 0 ? [] : [renderParams(params)]),
  ].join(', ');
  const what = given === '' ? 'no params' : given;
  return new AssayError(
    'usage',
    `The variants ${first + 1} and ${second + 1}${names} are equal: both have ${what}.`,
  );
}

function varyingNames(variants: readonly RunVariant[]): string[] {
  const names = new Set(variants.flatMap(({ params }) => Object.keys(params)));
  const first = variants[0]?.params ?? {};
  return [...names].filter((name) =>
    variants.some(({ params }) => !isSameValue(params[name], first[name])),
  );
}

/** `large v15`; `model=large` where the value alone says too little. */
function nameOf(
  { runConfig, params }: RunVariant,
  varying: readonly string[],
  redact: (text: string) => string,
): string {
  const values = varying.flatMap((name) => {
    const value = params[name];
    // It has the default.
    if (value === undefined) return [];
    return typeof value === 'string' && value.trim() !== ''
      ? shortText(redact(value))
      : `${name}=${shortText(redact(JSON.stringify(value)))}`;
  });
  const name = [...(runConfig === undefined ? [] : [runConfig]), ...values].join(' ');
  return name === '' ? 'default' : cutText(name, longestName);
}

function isSameVariant(one: RunVariant, other: RunVariant): boolean {
  return one.runConfig === other.runConfig && isSameJson(one.params, other.params);
}

function isSameValue(one: Json | undefined, other: Json | undefined): boolean {
  return one === undefined || other === undefined ? one === other : isSameJson(one, other);
}
