import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { problem } from './api/values.js';
import type { AnswerDescription, Route } from './http/route.js';

/** The API as an OpenAPI 3.1 document. */
export type OpenApiDocument = ReturnType<typeof createDocument>;

/** Describes routes; `version` is that of the package. */
export function createOpenApi(routes: readonly Route[], version: string): OpenApiDocument {
  return createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'assay',
        version,
        description:
          'The local server of `assay serve`. Bodies and answers are JSON unless an operation says otherwise; errors are problem documents (RFC 9457). Bodies with a key `__proto__`, `constructor` or `prototype`, or nested deeper than 64 levels, are refused (400).',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      // A token is asked for only when the server was started with one.
      security: [{}, { token: [] }],
      tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
      paths: describePaths(routes),
      components: {
        securitySchemes: {
          token: {
            type: 'http',
            scheme: 'bearer',
            description: 'The token of `assay serve --token`, if one is set.',
          },
        },
        responses: Object.fromEntries(
          Object.values(problems).map(({ name, description }) => [
            name,
            problemAnswer(description),
          ]),
        ),
      },
    },
    { override: ({ jsonSchema }) => tidySchema(jsonSchema) },
  );
}

interface ProblemDescription {
  readonly name: string;
  readonly description: string;
}

/** The possible errors, by status. */
const problems: Readonly<Record<number | 'default', ProblemDescription>> = {
  400: {
    name: 'BadRequest',
    description: 'The request, or something that it depends on, is not valid.',
  },
  404: { name: 'NotFound', description: 'There is no such run, result, session or view.' },
  409: {
    name: 'Conflict',
    description: 'A run is in progress, or the run does not allow the operation.',
  },
  412: { name: 'Outdated', description: 'The result has changed since it was read.' },
  413: { name: 'BodyTooLarge', description: 'The body has more bytes than allowed.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not JSON.' },
  503: { name: 'Unavailable', description: 'Too many files or streams are open.' },
  507: { name: 'StorageFull', description: 'The disk is full; nothing was changed.' },
  default: {
    name: 'Problem',
    description:
      'Errors of any request: 400 (malformed), 401 (token), 403 (Host, Origin or site), 405, 408 (too slow), 414, 431 (too long), 500 (a bug), 503 (out of file descriptors).',
  },
};

function describePaths(routes: readonly Route[]): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: describeOperation(route),
    };
  }
  return paths;
}

function describeOperation(route: Route): ZodOpenApiOperationObject {
  const { operation, tag, summary, description, params, query, body, knowsIfMatch } = route;
  return {
    operationId: operation,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(params === undefined && query === undefined
      ? {}
      : {
          requestParams: {
            ...(params === undefined ? {} : { path: asObject(params) }),
            ...(query === undefined ? {} : { query: asObject(query) }),
            ...(knowsIfMatch === true ? { header: ifMatchHeader } : {}),
          },
        }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !body.safeParse({}).success,
            content: { 'application/json': { schema: body } },
          },
        }),
    responses: describeResponses(route),
  };
}

function describeResponses(route: Route): ZodOpenApiResponsesObject {
  const { answer, params, query, body } = route;
  const isVersioned = answer.headers?.includes('ETag') === true;
  const statuses = new Set([
    ...(query === undefined && body === undefined ? [] : [400]),
    ...(params === undefined || takesAnything(params) ? [] : [404]),
    ...(body === undefined ? [] : [413, 415]),
    ...(route.knowsIfMatch === true ? [412] : []),
    ...(route.problems ?? []),
  ]);
  return {
    200: describeAnswer(answer),
    ...(isVersioned && route.method === 'GET'
      ? { 304: { description: 'Unchanged since the `ETag` of `If-None-Match`.' } }
      : {}),
    ...Object.fromEntries(
      [...statuses].sort((a, b) => a - b).map((status) => [String(status), problemRef(status)]),
    ),
    default: problemRef('default'),
  };
}

function describeAnswer(answer: AnswerDescription) {
  const mediaType = (answer.contentType ?? 'application/json').split(';')[0] ?? '';
  const headers = (answer.headers ?? []).map((name) => [name, headerSchemas[name]] as const);
  return {
    description: answer.description,
    ...(headers.length === 0 ? {} : { headers: z.object(Object.fromEntries(headers)) }),
    content: { [mediaType]: { schema: answer.schema ?? z.string() } },
  };
}

const ifMatchHeader = z.object({
  'If-Match': z.string().optional().meta({
    description: 'The `ETag` of the read result: 412 if it has changed since.',
  }),
});

const headerSchemas = {
  'Content-Disposition': z.string().meta({ description: 'The name to save the file under.' }),
  ETag: z.string().meta({ description: 'Changes whenever the answer changes.' }),
};

function problemAnswer(description: string) {
  return { description, content: { 'application/problem+json': { schema: problem } } };
}

function problemRef(status: number | 'default') {
  const known = problems[status];
  if (known === undefined) throw new TypeError(`Status ${status} has no description`);
  return { $ref: `#/components/responses/${known.name}` as const };
}

/** True for parameters that any text fits, such as names. */
function takesAnything(params: z.ZodType): boolean {
  const names = Object.keys(asObject(params).shape);
  return params.safeParse(Object.fromEntries(names.map((name) => [name, '?']))).success;
}

/** Parameters are objects, with or without additional checks. */
function asObject(schema: z.ZodType): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema;
  throw new TypeError('Parameters of a route are described by z.object()');
}

/** Removes redundant keywords: bounds of safe integers, and string keys of objects. */
function tidySchema(schema: Record<string, unknown>): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
}
