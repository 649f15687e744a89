import { restExamples } from './rest-examples.mjs';

const introduction = `# REST API

<!-- Generated from the API itself by scripts/update-rest-docs.mjs: change that, or the routes, not this file. -->

\`assay serve\` answers at \`http://127.0.0.1:8000\`. Everything the web UI does goes through this API. The examples below work
in this order against

\`\`\`text
assay serve examples/sentiment --no-open --port 8000
export ASSAY_URL=http://127.0.0.1:8000
export RUN_ID=…    # that of a saved run: assay sessions show default
\`\`\`

- Evaluations are grouped into runs, runs into sessions. One run is the active one.
- \`{run_id}\` in a path is a run id. Where one result is read or edited, in \`/data\` and in exports, \`latest\` stands for the active run;
  elsewhere there is no run \`latest\` (404): \`GET /api/active-run\` tells the id of the active one. \`{index}\` is the position of a result in its run, from 0.
- Bodies are JSON, sent with \`Content-Type: application/json\`; an empty one is \`{}\`. Keys that are not described are ignored.
- Parameters after \`?\` that are not described are refused (400) by the operations for rows and comparisons, and ignored by all others.
- An answer with an \`ETag\` can be asked for with \`If-None-Match\`: 304 when nothing has changed. Answers over 1 KiB are
  compressed when the client accepts it.
- A server that was started with a token wants \`Authorization: Bearer TOKEN\`. [Security](security.md) says who may talk to it.
- The same description for machines is at \`GET /api/openapi.json\` and in [openapi.json](openapi.json).
`;

/** Parameters that the introduction explains. */
const toldOnce = ['run_id', 'index'];

/** Errors of every operation with a body. */
const ofEveryBody = ['413', '415'];

const errorText = `## Errors

Errors are problem documents (RFC 9457) of type \`application/problem+json\`:

\`\`\`json
{
  "type": "about:blank",
  "title": "Bad Request",
  "status": 400,
  "detail": "The body is not valid at /run_name: A run name must not be blank.",
  "errors": [{ "pointer": "/run_name", "detail": "A run name must not be blank." }]
}
\`\`\`

\`detail\` says what to do; \`errors\` is there when a body or parameters do not fit. Each operation names the errors of its own; those with a body also
answer 413 and 415.
`;

/** Renders docs/rest-api.md from the OpenAPI document. */
export function renderRestDocs(document) {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      heading: `${method.toUpperCase()} ${path}`,
      ...operation,
    })),
  );
  const shapes = new Shapes(document);
  const sections = document.tags.map(({ name }) => {
    const own = operations.filter((operation) => operation.tags.includes(name));
    return [`## ${name}`, ...own.map((operation) => renderOperation(operation, shapes))].join(
      '\n\n',
    );
  });
  const parts = [
    introduction.trimEnd(),
    renderContents(operations),
    ...sections,
    `${errorText}\n${renderStatuses(document)}`,
    shapes.render(),
  ];
  return `${parts.join('\n\n')}\n`;
}

function renderContents(operations) {
  return table(
    ['operation', ''],
    operations.map(({ heading, summary }) => [`[\`${heading}\`](#${anchor(heading)})`, summary]),
  );
}

function renderOperation(operation, shapes) {
  const {
    heading,
    summary,
    description,
    parameters = [],
    requestBody,
    responses,
    operationId,
  } = operation;
  const example = restExamples[operationId];
  if (example === undefined) throw new Error(`rest-examples.mjs has no example of ${operationId}`);
  const parts = [
    `### \`${heading}\``,
    [summary, ...(description === undefined ? [] : [description])].join(
      description?.includes('\n') ? '\n\n' : ' ',
    ),
    ...renderParameters(parameters, shapes),
    ...(requestBody === undefined ? [] : [renderBody(requestBody, shapes)]),
    renderAnswer(responses[200], shapes),
    ...renderErrors(responses),
    `\`\`\`sh\n${example.trim()}\n\`\`\``,
  ];
  return parts.join('\n\n');
}

function renderParameters(parameters, shapes) {
  const told = parameters.filter(({ name }) => !toldOnce.includes(name));
  if (told.length === 0) return [];
  const rows = told.map(({ name, in: where, required, schema }) => [
    `\`${name}\``,
    where,
    shapes.type(schema) + (where === 'path' || required ? '' : ', optional'),
    [
      ...(schema.description === undefined ? [] : [schema.description]),
      ...(schema.default === undefined ? [] : [`Default: ${schema.default}.`]),
    ].join(' '),
  ]);
  return [table(['parameter', 'in', 'type', ''], rows)];
}

function renderBody({ content }, shapes) {
  const schema = shapes.resolve(content['application/json'].schema);
  const note = schema.description === undefined ? '' : ` ${schema.description}`;
  return `Body:${note}\n\n${shapes.fields(schema)}`;
}

function renderAnswer({ description, content, headers = {} }, shapes) {
  const [[mediaType, { schema }]] = Object.entries(content);
  const isFile = headers['Content-Disposition'] !== undefined;
  if (mediaType === 'text/event-stream') {
    return `Answer (\`${mediaType}\`): ${description} Each is a ${shapes.type(schema)}.`;
  }
  if (isFile || mediaType !== 'application/json')
    return `Answer (\`${mediaType}\`): ${description}`;
  const resolved = shapes.resolve(schema);
  if (shapes.isShared(schema)) return `Answer: ${shapes.type(schema)}. ${description}`;
  if (resolved.properties === undefined) return `Answer: ${description}`;
  const line = shapes.line(resolved);
  return line === undefined
    ? `Answer: ${description}\n\n${shapes.fields(resolved)}`
    : `Answer: \`${line}\`. ${description}`;
}

function renderErrors(responses) {
  const statuses = Object.keys(responses).filter(
    (status) => Number(status) >= 400 && !ofEveryBody.includes(status),
  );
  return statuses.length === 0 ? [] : [`Errors: ${statuses.join(', ')}.`];
}

function renderStatuses({ paths, components }) {
  const used = new Map();
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, { $ref }] of Object.entries(operation.responses)) {
      if (Number(status) >= 400) used.set(status, $ref.split('/').at(-1));
    }
  }
  const rows = [...used]
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([status, name]) => [status, components.responses[name].description]);
  return table(['status', ''], [...rows, ['others', components.responses.Problem.description]]);
}

/** The shapes of values: those that several operations use are described once, at the end. */
class Shapes {
  #schemas;
  #shared;

  constructor({ components, paths }) {
    this.#schemas = components.schemas;
    const outer = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ requestBody, responses }) => [requestBody, responses[200]])
      .flatMap((one) => Object.values(one?.content ?? {}))
      .flatMap(({ schema }) => schema.$ref ?? []);
    const inner = [
      ...Object.values(this.#schemas).flatMap(refsIn),
      ...Object.values(paths)
        .flatMap((methods) => Object.values(methods))
        .flatMap(streamed),
    ];
    const isShared = (name) => {
      const ref = `#/components/schemas/${name}`;
      if (name === 'Problem') return false;
      return inner.includes(ref) || outer.indexOf(ref) !== outer.lastIndexOf(ref);
    };
    this.#shared = Object.keys(this.#schemas).filter(
      (name) => isShared(name) && this.line(this.#schemas[name]) === undefined,
    );
  }

  /** True for what is described at the end, not where it is used. */
  isShared(schema) {
    return schema.$ref !== undefined && this.#shared.includes(this.nameOf(schema));
  }

  /** A small object that explains itself, on one line. */
  line(schema) {
    const fields = Object.entries(schema.properties ?? {});
    const isPlain = fields.every(([name, { description, const: value, type }]) => {
      if (description !== undefined || schema.required?.includes(name) !== true) return false;
      return value !== undefined || ['string', 'boolean', 'integer'].includes(type);
    });
    if (fields.length === 0 || fields.length > 4 || !isPlain || schema.description)
      return undefined;
    const parts = fields.map(([name, { const: value, type }]) => `"${name}": ${value ?? type}`);
    return `{ ${parts.join(', ')} }`;
  }

  nameOf({ $ref }) {
    return $ref.split('/').at(-1);
  }

  resolve(schema) {
    return schema.$ref === undefined ? schema : this.#schemas[this.nameOf(schema)];
  }

  /** A type in words, shared shapes as links. */
  type(schema) {
    if (schema.$ref !== undefined) {
      const name = this.nameOf(schema);
      return `[${name}](#${anchor(name)})`;
    }
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return choices.map((one) => this.type(one)).join(' or ');
    if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
    if (schema.enum !== undefined) return schema.enum.map((one) => `\`${one}\``).join(', ');
    if (Array.isArray(schema.type))
      return schema.type.map((one) => this.type({ type: one })).join(' or ');
    if (schema.type === 'null') return '`null`';
    if (schema.type === 'array') return `array of ${this.type(schema.items)}`;
    if (schema.type === 'object') return 'object';
    return schema.type === undefined ? 'any' : `${schema.type}${bounds(schema)}`;
  }

  /** The fields of an object as a table; objects in it as `outer.inner`. */
  fields(schema) {
    return table(['field', 'type', ''], this.#rows(schema, ''));
  }

  render() {
    const shapes = this.#shared.map((name) => {
      const schema = this.#schemas[name];
      const parts = [`### ${name}`];
      if (schema.description !== undefined) parts.push(schema.description);
      if (schema.properties !== undefined) parts.push(this.fields(schema));
      else if (schema.oneOf !== undefined) {
        parts.push(...schema.oneOf.map((one) => this.fields(this.resolve(one))));
      } else if (schema.enum !== undefined) parts.push(`One of ${this.type(schema)}.`);
      return parts.join('\n\n');
    });
    return ['## Shapes', ...shapes].join('\n\n');
  }

  #rows(schema, prefix) {
    return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
      const isOptional = schema.required?.includes(name) !== true;
      const type = this.type(value) + (isOptional ? ', optional' : '');
      const row = [`\`${prefix}${name}\``, type, value.description ?? ''];
      const inner = value.properties === undefined ? value.items : value;
      const path = value.properties === undefined ? `${prefix}${name}[].` : `${prefix}${name}.`;
      return [row, ...(inner?.properties ? this.#rows(inner, path) : [])];
    });
  }
}

function bounds({ type, minimum, exclusiveMinimum, maximum }) {
  const least = type === 'integer' && exclusiveMinimum === 0 ? 1 : minimum;
  if (least !== undefined && maximum !== undefined) return ` ${least}–${maximum}`;
  const parts = [
    ...(least === undefined || least === 0 ? [] : [` from ${least}`]),
    ...(least !== undefined || exclusiveMinimum === undefined
      ? []
      : [` above ${exclusiveMinimum}`]),
    ...(maximum === undefined ? [] : [` up to ${maximum}`]),
  ];
  return parts.join('');
}

/** What a stream is made of stands in no other shape. */
function streamed({ responses }) {
  return refsIn(responses[200].content['text/event-stream']?.schema);
}

function refsIn(value) {
  if (typeof value !== 'object' || value === null) return [];
  if (typeof value.$ref === 'string') return [value.$ref];
  return Object.values(value).flatMap(refsIn);
}

function table([...header], rows) {
  const cells = rows.map((row) =>
    row.map((cell) => String(cell).replaceAll('|', '\\|').replaceAll('\n', ' ')),
  );
  return [header, header.map(() => '---'), ...cells]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

/** The anchor that GitHub gives a heading. */
function anchor(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
