import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../../src/server/openapi.js';

/** What the document says of one status of an operation. */
export interface ResponseDescription {
  /** Names of headers that are always there. */
  readonly headers: readonly string[];
  /** Where the schema of each media type is, as a JSON pointer. */
  readonly content: Readonly<Record<string, string>>;
}

interface Described {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

/** The described responses of an operation by status; `undefined` for what is no operation of the API. */
export function describedResponses(
  document: OpenApiDocument,
  method: string,
  path: string,
): Readonly<Record<string, ResponseDescription>> | undefined {
  const templates = Object.keys(document.paths ?? {});
  // Where two fit, such as /api/runs/new and /api/runs/{run_id}, the one with fewer parameters is meant.
  const matching = templates.filter((template) => matches(template, path));
  const fitting = matching.filter((template) => operation(document, template, method));
  const [template] = fitting.sort((a, b) => a.split('{').length - b.split('{').length);
  if (template === undefined) return undefined;
  const responses = operation(document, template, method)?.responses ?? {};
  const at = ['paths', template, method.toLowerCase(), 'responses'];
  return Object.fromEntries(
    Object.entries(responses).map(([status, one]) => [
      status,
      describe(document, one as Described, [...at, status]),
    ]),
  );
}

const validators = new WeakMap<OpenApiDocument, Ajv2020>();

/** What of a value does not fit the schema at `pointer` of the document. */
export function schemaProblems(
  document: OpenApiDocument,
  pointer: string,
  value: unknown,
): string[] {
  const validate = validator(document).getSchema(`api${pointer}`);
  if (validate === undefined) throw new Error(`There is no schema at ${pointer}`);
  if (validate(value)) return [];
  return (validate.errors ?? []).slice(0, 5).map((error) => {
    const extra = JSON.stringify(error.params);
    return `${error.instancePath || 'the body'} ${error.message} ${extra}`;
  });
}

function validator(document: OpenApiDocument): Ajv2020 {
  const known = validators.get(document);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(JSON.parse(JSON.stringify(document)), 'api');
  validators.set(document, ajv);
  return ajv;
}

function describe(
  document: OpenApiDocument,
  response: Described,
  at: readonly string[],
): ResponseDescription {
  if (response.$ref !== undefined) {
    const name = response.$ref.split('/').at(-1) ?? '';
    const shared = document.components?.responses?.[name] as Described;
    return describe(document, shared, ['components', 'responses', name]);
  }
  const { headers = {}, content = {} } = response;
  return {
    headers: Object.keys(headers).filter((name) => headers[name]?.required === true),
    content: Object.fromEntries(
      Object.keys(content).map((type) => [type, pointer([...at, 'content', type, 'schema'])]),
    ),
  };
}

function operation(document: OpenApiDocument, template: string, method: string) {
  const methods = document.paths?.[template] as
    | Readonly<Record<string, { readonly responses?: Readonly<Record<string, unknown>> }>>
    | undefined;
  return methods?.[method.toLowerCase()];
}

function matches(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((part, place) => part.startsWith('{') || part === given[place])
  );
}

function pointer(path: readonly string[]): string {
  const escapePart = (part: string) =>
    encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
  return `#/${path.map(escapePart).join('/')}`;
}
