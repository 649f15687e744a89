import { isObject } from '../../../../model/json.js';
import { uniqueName } from '../names.js';
import { leave, leftComment, type Tally } from '../tally.js';
import { callNames, type Vendor, vendors } from './vendors.js';

/** A provider that the file can ask. */
export interface Model {
  /** The value of the param. */
  readonly name: string;
  readonly vendor: Vendor;
  /** The name of the model at its vendor. */
  readonly id: string;
  /** By their names in the file: `temperature`, `maxTokens`. */
  readonly settings: Readonly<Record<string, number | string>>;
}

/** The providers of a configuration. */
export interface Models {
  readonly models: readonly Model[];
  /** Comments for those that are left. */
  readonly left: readonly (readonly string[])[];
}

/** Reads providers, in each of the forms that promptfoo knows. `packages`: those of the project. */
export function readModels(
  providers: unknown,
  { packages, tally }: { readonly packages: ReadonlySet<string>; readonly tally: Tally },
): Models {
  const models: Model[] = [];
  const left: (readonly string[])[] = [];
  const names = new Set<string>();
  for (const one of (Array.isArray(providers) ? providers : [providers]).flatMap(expanded)) {
    const read = readModel(one, packages);
    if (typeof read === 'string') {
      leave(tally, `provider ${idOf(one) ?? ''}`.trim());
      left.push(leftComment(`this provider is not translated: ${read}.`, one));
      continue;
    }
    for (const { field, value } of read.strange) {
      leave(tally, `${field} of a provider`);
      left.push(leftComment(`${read.name} is asked without this setting.`, { [field]: value }));
    }
    models.push({ ...read, name: uniqueName(read.name, names) });
  }
  return { models, left };
}

/** The model of a provider, for a judge; `undefined` if it cannot be asked. */
export function judgeModel(provider: unknown, packages: ReadonlySet<string>): Model | undefined {
  const read = expanded(provider).map((one) => readModel(one, packages))[0];
  return read === undefined || typeof read === 'string' || read.strange.length > 0
    ? undefined
    : read;
}

interface Provider {
  readonly id: string;
  readonly label?: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly others: readonly string[];
}

/** `openai:gpt-4.1`, `{ id, label, config }` or `{ 'openai:gpt-4.1': { config } }`. */
function expanded(provider: unknown): unknown[] {
  if (!isObject(provider) || 'id' in provider) return [provider];
  const entries = Object.entries(provider).filter(([, options]) => isObject(options));
  if (entries.length === 0) return [provider];
  return entries.map(([id, options]) => ({ id, ...(options as object) }));
}

function idOf(provider: unknown): string | undefined {
  const id = isObject(provider) ? provider.id : provider;
  return typeof id === 'string' ? id : undefined;
}

function parsed(provider: unknown): Provider | undefined {
  const id = idOf(provider);
  if (id === undefined) return undefined;
  if (!isObject(provider)) return { id, config: {}, others: [] };
  const { id: _, label, config = {}, ...others } = provider;
  if (!isObject(config)) return undefined;
  return {
    id,
    ...(typeof label === 'string' && { label }),
    config,
    others: Object.keys(others),
  };
}

interface StrangeSetting {
  readonly field: string;
  readonly value: unknown;
}

function readModel(
  given: unknown,
  packages: ReadonlySet<string>,
): (Model & { readonly strange: readonly StrangeSetting[] }) | string {
  const provider = parsed(given);
  if (provider === undefined) return 'it has no id';
  const [other] = provider.others;
  if (other !== undefined) return `its ${other} has no translation`;
  const vendor = vendorOf(provider.id, packages);
  if (vendor === undefined) return 'assay knows no client for it; ask it in the target';
  const id = provider.id.replace(vendor.ids, '');
  if (vendor.name !== 'echo' && (id === '' || /[{}]/.test(id))) return 'it names no model';
  const config = { ...vendor.defaults(id), ...provider.config };
  const settings: Record<string, number | string> = {};
  const strange: StrangeSetting[] = [];
  for (const [field, value] of Object.entries(config)) {
    const name = Object.hasOwn(vendor.settings, field) ? vendor.settings[field] : undefined;
    const isRight = field === 'apiBaseUrl' ? typeof value === 'string' : typeof value === 'number';
    if (name !== undefined && isRight) settings[name] = value as number | string;
    // The client reads the key from the environment.
    else if (field !== 'apiKeyEnvar' || value !== 'OPENAI_API_KEY') strange.push({ field, value });
  }
  return { name: shortName(provider.label ?? (id || 'echo')), vendor, id, settings, strange };
}

/** The vendor whose client the project has; without any, the first. */
function vendorOf(id: string, packages: ReadonlySet<string>): Vendor | undefined {
  const able = vendors.filter(({ ids }) => ids.test(id));
  return able.find((one) => one.packages.every((name) => packages.has(name))) ?? able[0];
}

/** A value of the param without what a command line reads: commas, quotes and line breaks. */
function shortName(name: string): string {
  return name
    .replace(/[\s,"']+/g, ' ')
    .trim()
    .slice(0, 60);
}

/** The lines of `const models`, their type and the functions that ask. */
export function modelsText(models: readonly Model[]): {
  readonly fields: readonly string[];
  readonly functions: readonly string[];
} {
  const fields = [...new Set(models.flatMap(({ settings }) => Object.keys(settings)))];
  const used = [...new Set(models.map(({ vendor }) => vendor))];
  return { fields, functions: used.map((vendor) => askingText(vendor, models)) };
}

function askingText(vendor: Vendor, models: readonly Model[]): string {
  const own = models.filter((one) => one.vendor === vendor);
  const used = new Set(own.flatMap(({ settings }) => Object.keys(settings)));
  const calls = callNames[vendor.name] ?? {};
  const indent = vendor.name === 'google' ? '      ' : '    ';
  const lines = [...used]
    .filter((name) => name !== 'baseURL')
    .map((name) => {
      // Only there, a limit is required.
      const least = vendor.name === 'anthropic' && name === 'maxTokens' ? ' ?? 1024' : '';
      return `${indent}${calls[name] ?? name}: model.${name}${least},\n`;
    });
  return vendor.text
    .replace(/^ *<settings>\n/m, lines.join(''))
    .replace('<baseURL>', used.has('baseURL') ? '{ baseURL: model.baseURL }' : '');
}
