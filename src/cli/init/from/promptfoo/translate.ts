import { basename, extname } from 'node:path';
import { isObject } from '../../../../model/json.js';
import { type Code, type Item, list, literal, object, print, property, quoted } from '../code.js';
import { camelName } from '../names.js';
import { leave, leftComment, newTally } from '../tally.js';
import { hasTemplate } from '../template.js';
import type { ProjectFacts, Translation } from '../translation.js';
import { type Distributed, distribute, evaluatorsOf, type Placed } from './evaluators.js';
import { type HelperName, helperTexts, typesOfHelpers } from './helpers.js';
import type { Check } from './javascript.js';
import { judgeModel, type Model, modelsText, readModels } from './models.js';
import { type Prompt, readPrompts } from './prompts.js';
import type { Config } from './read-config.js';
import { readTests, type Test } from './tests.js';
import { varsType } from './vars-type.js';

/** Cases from which on they stand in a file of their own. */
const manyCases = 50;

/** Translates a configuration of promptfoo. Error: `bad-request` for files that it names. */
export function translatePromptfoo(
  config: Config,
  { packages, isModule }: ProjectFacts,
): Translation {
  const tally = newTally();
  const left = new Set<string>();
  const comment = (lines: readonly string[]) => left.add(lines.join('\n'));
  for (const [field, value] of strangeFields(config)) {
    leave(tally, field);
    comment(leftComment(`${field} has no translation.`, { [field]: value }));
  }
  const prompts = readPrompts(config, tally);
  const { value } = config;
  const providers = readModels(value.providers ?? value.targets ?? [], { packages, tally });
  const { tests, left: leftTests, judge: judgedBy, csv } = readTests(config, tally);
  for (const lines of [...prompts.left, ...providers.left, ...leftTests]) comment(lines);
  const { models } = providers;
  const judge =
    judgedBy === undefined
      ? models.find(({ vendor }) => vendor.name !== 'echo')
      : judgeModel(judgedBy, packages);
  const checks = new Map<string, Check>();
  const nameOf = (check: Check) => nameOfCheck(check, checks);
  const context = { hasJudge: judge !== undefined, nameOf };
  const distributed = distribute(tests.map((test) => evaluatorsOf(test, context, { tally, left })));
  const name = nameOfFile(config.path);
  const parts: Parts = {
    ...{ name, config, isModule, prompts: prompts.prompts, models, tests, distributed, checks },
    ...{
      left: [...left],
      judge,
      csv: csv !== undefined && isPlainTable(tests, distributed) ? csv : undefined,
    },
  };
  return {
    ...{ from: config.path, name, files: filesOf(parts), tally, cases: tests.length },
    params: { prompt: parts.prompts.map((one) => one.name), model: models.map((one) => one.name) },
    packages: [...new Set(usedModels(parts).flatMap(({ vendor }) => vendor.packages))],
    ungraded: distributed.own.filter(
      (own) => own.length === 0 && distributed.shared.length === 0 && !distributed.byReference,
    ).length,
    needsAjv: importsOf(parts).includes('schema'),
  };
}

/** Fields of a configuration that are read, or that change nothing in what is measured. */
const knownFields = new Set(
  `$schema description prompts providers targets tests defaultTest evaluateOptions commandLineOptions outputPath sharing
tags metadata writeLatestResults assertionTemplates`.split(/\s+/),
);

function strangeFields({ value }: Config): [string, unknown][] {
  return Object.entries(value).filter(
    ([field]) => !knownFields.has(field) && !field.startsWith('x-'),
  );
}

/** `promptfooconfig.rag.yaml` is `rag`. */
function nameOfFile(path: string): string {
  const stem = basename(path, extname(path)).replace(/^promptfooconfig[.-]?/, '');
  return stem.replace(/[^\w.-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '') || 'promptfoo';
}

function nameOfCheck(check: Check, checks: Map<string, Check>): string {
  const known = [...checks].find(([, one]) => one.code === check.code)?.[0];
  const name = known ?? `check${checks.size + 1}`;
  checks.set(name, check);
  return name;
}

/** True if rows of a table are cases as they are: texts, and at most a plain `__expected` for each. */
function isPlainTable(tests: readonly Test[], { own, byReference }: Distributed): boolean {
  const isSimple = tests.every(
    ({ vars, description, metadata, trials, assertions }) =>
      Object.values(vars).every((one) => typeof one === 'string' && !hasTemplate(one)) &&
      (description ?? metadata ?? trials) === undefined &&
      assertions.every(({ metric, value }) => metric === undefined && !hasTemplate(value)),
  );
  const isEqual = byReference !== undefined && print(byReference.code) === 'equals()';
  return (
    isSimple &&
    (isEqual ? own.every(([one]) => one !== undefined) : own.every((one) => one.length === 0))
  );
}

interface Parts {
  readonly name: string;
  readonly config: Config;
  /** True if the project's TypeScript is ES modules. */
  readonly isModule: boolean;
  readonly prompts: readonly Prompt[];
  readonly models: readonly Model[];
  readonly judge: Model | undefined;
  readonly tests: readonly Test[];
  readonly distributed: Distributed;
  readonly checks: ReadonlyMap<string, Check>;
  /** Comments of several lines. */
  readonly left: readonly string[];
  /** The table that stays the source of the cases. */
  readonly csv: string | undefined;
}

function filesOf(parts: Parts): Translation['files'] {
  const { distributed, csv, tests, name } = parts;
  const hasOwn = !distributed.byReference && distributed.own.some((one) => one.length > 0);
  const lines = tests.length > manyCases && !hasOwn && csv === undefined;
  const file = `${name}.cases.jsonl`;
  const source = csv ?? (lines ? file : undefined);
  const text = evalText(parts, source);
  return [
    { path: `${name}.eval.${parts.isModule || !needsModule(text) ? 'ts' : 'mts'}`, text },
    ...(lines
      ? [
          {
            path: file,
            text: tests.map((test, at) => `${JSON.stringify(caseOf(parts, test, at))}\n`).join(''),
          },
        ]
      : []),
  ];
}

/** True for text that is no CommonJS. */
function needsModule(text: string): boolean {
  return text.includes("with { type: 'text' }") || text.includes('import.meta');
}

/** Whether there is something to ask: else the target is to be written. */
function isAsking({ prompts, models }: Parts): boolean {
  return prompts.length > 0 && models.length > 0;
}

function usedModels(parts: Parts): Model[] {
  const { models, judge } = parts;
  const asked = isAsking(parts) ? models : [];
  return judge !== undefined && helpersOf(parts).has('judge') ? [...asked, judge] : [...asked];
}

function placedOf({ distributed: { shared, own, byReference } }: Parts): Placed[] {
  return [...shared, ...(byReference ? [byReference] : own.flat())];
}

function importsOf(parts: Parts): string[] {
  return [...new Set(placedOf(parts).flatMap(({ grader }) => grader.imports))].sort();
}

function helpersOf(parts: Parts): Set<HelperName> {
  return new Set(placedOf(parts).flatMap(({ grader }) => grader.helpers));
}

function evalText(parts: Parts, source: string | undefined): string {
  const { config, prompts, models, tests, checks, left, csv, name } = parts;
  const helpers = helpersOf(parts);
  const graders = importsOf(parts);
  const isAsked = isAsking(parts);
  const used = usedModels(parts);
  const asking = modelsText(used);
  const files = isAsked ? prompts.filter(({ file }) => file !== undefined) : [];
  const isInline = source === undefined;
  const types = [
    ...(csv === undefined ? ['Case'] : []),
    ...new Set([...helpers].flatMap((one) => typesOfHelpers[one])),
  ];
  const loader = csv !== undefined ? ['fromCsv'] : isInline ? [] : ['fromJsonl'];
  const imported = [...types.map((one) => `type ${one}`), 'evaluation', ...loader];
  const imports = [
    `import { ${imported.join(', ')} } from 'assay';`,
    ...(graders.length === 0 ? [] : [`import ${braced(graders)} from 'assay/graders';`]),
    ...new Set(used.flatMap(({ vendor }) => vendor.imports)),
    ...files.map(
      (one) =>
        `import ${textName(one, files)} from ${quoted(one.file ?? '')} with { type: 'text' };`,
    ),
  ].sort((one, other) => (sourceOf(one) < sourceOf(other) ? -1 : 1));
  const sections = [
    [
      `// From ${basename(config.path)} of promptfoo.${left.length > 0 || helpers.has('todo') ? ' TODO marks what has no translation.' : ''}`,
      ...(files.length > 0 ? ['/// <reference types="assay/text" />'] : []),
      ...imports,
    ].join('\n'),
    ...(left.length > 0
      ? [
          left
            .flatMap((one) => one.split('\n'))
            .map((line) => `// ${line}`.trimEnd())
            .join('\n'),
        ]
      : []),
    varsType(
      tests.map(({ vars }) => vars),
      csv !== undefined,
    ),
    ...(isAsked ? [promptsText(parts, files), modelsConst(models, used)] : []),
    ...(helpers.has('judge') && parts.judge ? [judgeText(parts.judge)] : []),
    ...(isInline ? [casesText(parts)] : []),
    evaluationText(parts, { name, source, isAsked }),
    ...[...checks].map(([checkName, check]) => checkText(checkName, check)),
    ...(used.length > 0 ? [modelTypes(asking.fields, isSeveral(models))] : []),
    ...asking.functions.map((one) => one.trimEnd()),
    ...(isAsked ? [askText(prompts)] : []),
    ...helperOrder.filter((one) => helpers.has(one)).map((one) => helperTexts[one].trimEnd()),
  ];
  return `${sections.join('\n\n')}\n`;
}

const helperOrder = Object.keys(helperTexts) as (keyof typeof helperTexts)[];

/** What an import names; files of the project sort behind packages. */
function sourceOf(line: string): string {
  const source = line.slice(line.lastIndexOf(' from ') + 6);
  return source.startsWith("'.") ? `~${source}` : source;
}

/** Names in braces, on several lines if they are many. */
function braced(names: readonly string[]): string {
  return print(
    object(names.map((code) => ({ code }))),
    '',
    'import '.length,
    " from 'assay/graders';".length,
  );
}

function textName(prompt: Prompt, files: readonly Prompt[]): string {
  const names = files.map(({ name }) => camelName(name));
  const name = camelName(prompt.name);
  const isTaken =
    name === '' || names.filter((one) => one === name).length > 1 || takenNames.has(name);
  return isTaken ? `text${files.indexOf(prompt) + 1}` : name;
}

/** Names that the file has for itself. */
const takenNames = new Set(
  `prompts models cases judge fill messagesOf todo javascript json levenshtein containsJson openai anthropic google echo
openaiSdk anthropicSdk googleSdk generateText`.split(/\s+/),
);

function isChat(prompts: readonly Prompt[]): boolean {
  return prompts.some(({ messages }) => messages.length !== 1 || messages[0]?.role !== 'user');
}

function promptsText({ prompts }: Parts, files: readonly Prompt[]): string {
  const asMessages = isChat(prompts);
  const entries = prompts.map((prompt) => {
    const { name, file, messages } = prompt;
    // promptfoo cuts off spaces around the text of such files.
    const text = file && `${textName(prompt, files)}${file.endsWith('.txt') ? '.trim()' : ''}`;
    if (!asMessages) return property(name, text ?? literal(messages[0]?.content ?? ''));
    const items = messages.map(({ role, content }) =>
      object([property('role', quoted(role)), property('content', text ?? literal(content))]),
    );
    return property(name, list(items.map((code) => ({ code }))));
  });
  const type = asMessages ? ' satisfies Record<string, Message[]>' : '';
  const comment = '/** Prompts by name; {{name}} stands for a value of the case. */';
  return `${comment}\nconst prompts = ${print(expanded(entries), '', 'const prompts = '.length)}${type};`;
}

/** An object that takes several lines even if it would fit on one, as people write such lists. */
function expanded(entries: readonly Item[]): Code {
  return { kind: 'object', open: '{', items: entries, close: '}', isExpanded: true };
}

/** True if more than one client is asked. */
function isSeveral(models: readonly Model[]): boolean {
  return new Set(models.map(({ vendor }) => vendor)).size > 1;
}

function modelsConst(models: readonly Model[], used: readonly Model[]): string {
  const hasSeveral = isSeveral(models);
  const entries = models.map(({ name, id, vendor, settings }) =>
    property(
      name,
      object([...(hasSeveral ? [property('ask', vendor.name)] : []), ...modelFields(id, settings)]),
    ),
  );
  const type =
    used.length > 0 ? ` satisfies Record<string, Model${hasSeveral ? ' & { ask: Ask }' : ''}>` : '';
  return `const models = ${print(expanded(entries), '', 'const models = '.length)}${type};`;
}

function modelFields(id: string, settings: Model['settings']): Item[] {
  return [
    property('id', quoted(id)),
    ...Object.entries(settings).map(([name, value]) => property(name, literal(value))),
  ];
}

function judgeText({ id, settings, vendor }: Model): string {
  const model = print(object(modelFields(id, settings)), '    ');
  return `/** Judges by rubrics. */
const judge = {
  ask: (prompt: string) =>
    ${vendor.name}(${model}, [{ role: 'user', content: prompt }]),
};`;
}

function caseOf({ tests, distributed }: Parts, test: Test, at: number) {
  const { byReference, own } = distributed;
  const { description: id = '' } = test;
  const isId = isGoodId(id) && tests.filter(({ description }) => description === id).length === 1;
  return {
    ...(isId && { id }),
    input: test.vars,
    ...(byReference && { reference: own[at]?.[0]?.grader.byReference?.value }),
    ...(test.metadata && { metadata: test.metadata }),
    ...(test.trials !== undefined && { trials: test.trials }),
  };
}

function casesText(parts: Parts): string {
  const { tests, distributed } = parts;
  const { shared, own, byReference } = distributed;
  const hasOwn = !byReference && own.some((one) => one.length > 0);
  const items = tests.map((test, at) => {
    const named = caseOf(parts, test, at);
    const evaluators = own[at] ?? [];
    const items: Item[] = [
      ...Object.entries(named).map(([name, value]) => property(name, literal(value))),
      ...(hasOwn && evaluators.length > 0
        ? [
            property(
              'evaluators',
              list([...(shared.length > 0 ? [{ code: '...shared' }] : []), ...evaluators]),
            ),
          ]
        : []),
    ];
    return { code: object(items) };
  });
  const type = byReference ? `Case<Vars, ${referenceType(distributed)}>[]` : 'Case<Vars>[]';
  const head = `const cases: ${type} = `;
  const cases = `${head}${print({ kind: 'list', open: '[', items, close: ']', isExpanded: true }, '', head.length)};`;
  if (!hasOwn || shared.length === 0) return cases;
  const before = 'const shared = ';
  return `${before}${print(list(shared), '', before.length)};\n\n${cases}`;
}

function isGoodId(id: string): boolean {
  return id.trim() === id && id.length > 0 && id.length <= 200 && !/[\p{C}\p{Zl}\p{Zp}]/u.test(id);
}

function referenceType({ own }: Distributed): string {
  const values = own.map(([one]) => one?.grader.byReference?.value);
  if (values.every((one) => typeof one === 'string')) return 'string';
  return values.every((one) => Array.isArray(one) && one.every((each) => typeof each === 'string'))
    ? 'string[]'
    : 'unknown';
}

interface EvaluationParts {
  readonly name: string;
  /** The file of the cases; absent where they stand above. */
  readonly source: string | undefined;
  readonly isAsked: boolean;
}

function evaluationText(parts: Parts, { name, source, isAsked }: EvaluationParts): string {
  const { prompts, models, distributed, csv, config } = parts;
  const { shared, byReference, own } = distributed;
  const hasOwn = !byReference && own.some((one) => one.length > 0);
  const [prompt] = prompts;
  const [model] = models;
  const trials = repeatOf(config);
  const params = object([
    property('prompt', `${quoted(prompt?.name ?? '')} as keyof typeof prompts`),
    property('model', `${quoted(model?.name ?? '')} as keyof typeof models`),
  ]);
  const evaluators: readonly Item[] = [...shared, ...(byReference ? [byReference] : [])];
  const items: Item[] = [
    ...(isAsked ? [property('params', params)] : []),
    casesProperty(source, csv !== undefined, distributed),
    ...(trials === undefined ? [] : [property('trials', String(trials))]),
    isAsked
      ? property('target', targetCode(isSeveral(models), model?.vendor.name ?? ''))
      : missingTarget,
    ...(hasOwn && shared.length > 0
      ? [property('evaluators', 'shared')]
      : evaluators.length > 0
        ? [property('evaluators', list(evaluators))]
        : []),
  ];
  const exported = camelName(name) || 'promptfoo';
  const taken = takenNames.has(exported) ? `${exported}Evaluation` : exported;
  const head = `export const ${taken} = evaluation(`;
  return `${head}${print(expanded(items), '', head.length)});`;
}

const missingTarget: Item = {
  comment: [
    'TODO: no prompt, or no provider, is translated. Ask your model here, and return the text of its answer.',
  ],
  before: 'target: ',
  code: `(): string => {\n    throw new Error('the target is to be written');\n  }`,
};

function casesProperty(
  source: string | undefined,
  isCsv: boolean,
  { byReference, own }: Distributed,
): Item {
  if (source === undefined) return { code: 'cases' };
  const url = `new URL(${quoted(source.startsWith('.') ? source : `./${source}`)}, import.meta.url)`;
  if (!isCsv) {
    const type = byReference ? `Case<Vars, ${referenceType({ shared: [], own })}>` : 'Case<Vars>';
    return property('cases', `fromJsonl<${type}>(${url})`);
  }
  const map = byReference
    ? "({ __expected = '', ...input }) => ({ input, reference: __expected.trim() })"
    : '(input) => ({ input })';
  return property('cases', `fromCsv(${url}, {\n    map: ${map},\n  })`);
}

function targetCode(hasSeveral: boolean, vendor: string): string {
  const messages = 'messagesOf(prompts[params.prompt], input)';
  if (!hasSeveral)
    return `({ input, params }) =>\n    ${vendor}(models[params.model], ${messages})`;
  return `({ input, params }) => {
    const model = models[params.model];
    return model.ask(model, ${messages});
  }`;
}

function repeatOf({ value }: Config): number | undefined {
  const options = [value.commandLineOptions, value.evaluateOptions].filter(isObject);
  const repeat = options.map((one) => one.repeat).find((one) => typeof one === 'number');
  return typeof repeat === 'number' && repeat > 1 ? repeat : undefined;
}

function checkText(name: string, { code, readsVars }: Check): string {
  const parameters = readsVars ? 'output: any, context: { vars: any }' : 'output: any';
  return `function ${name}(${parameters}) {\n${indented(code)}\n}`;
}

/** Lines one level deeper; those of a template literal keep their text. */
function indented(code: string): string {
  if (code.includes('`')) return code;
  const lines = code.split('\n');
  const depths = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const least = Math.min(...depths);
  return lines.map((line) => (line.trim() === '' ? '' : `  ${line.slice(least)}`)).join('\n');
}

function modelTypes(fields: readonly string[], hasSeveral: boolean): string {
  const lines = fields.map((name) => `  ${name}?: ${name === 'baseURL' ? 'string' : 'number'};\n`);
  return `interface Model {
  id: string;
${lines.join('')}}

interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}${hasSeveral ? '\n\ntype Ask = (model: Model, messages: Message[]) => Promise<string>;' : ''}`;
}

function askText(prompts: readonly Prompt[]): string {
  const body = isChat(prompts)
    ? `function messagesOf(prompt: readonly Message[], vars: Vars): Message[] {
  return prompt.map(({ role, content }) => ({ role, content: fill(content, vars) }));
}`
    : `function messagesOf(prompt: string, vars: Vars): Message[] {
  return [{ role: 'user', content: fill(prompt, vars) }];
}`;
  return `${body}

/** Puts the values of a case in place of {{name}}. */
function fill(text: string, vars: Vars): string {
  const values: Record<string, unknown> = { ...vars };
  return text.replace(/\\{\\{\\s*(\\w+)\\s*\\}\\}/g, (_, name: string) => String(values[name] ?? ''));
}`;
}
