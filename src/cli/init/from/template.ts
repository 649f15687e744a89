import { isObject } from '../../../model/json.js';

/** True for a text whose only templates are names, `{{name}}`: no filters, loops, comments, or parts of values. */
export function isSimpleTemplate(text: string): boolean {
  return !/\{\{|\{%|\{#/.test(text.replace(simple, ''));
}

/** True for a text, or a value with a text, that has a template of any kind. */
export function hasTemplate(value: unknown): boolean {
  if (typeof value === 'string') return /\{\{|\{%|\{#/.test(value);
  if (Array.isArray(value)) return value.some(hasTemplate);
  return isObject(value) && Object.values(value).some(hasTemplate);
}

/** A text with values in place of `{{name}}`; what has no value is empty, as nunjucks has it. */
export function fillTemplate(text: string, vars: Readonly<Record<string, unknown>>): string {
  return text.replace(simple, (_, name: string) =>
    Object.hasOwn(vars, name) ? String(vars[name] ?? '') : '',
  );
}

// `env` would be the environment.
const simple = /\{\{\s*(?!env\b)([A-Za-z_]\w*)\s*\}\}/g;
