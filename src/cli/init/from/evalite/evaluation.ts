import { camelName, uniqueName } from '../names.js';
import { leave, leftComment, type Tally } from '../tally.js';
import type { ScorerHelper } from './helpers.js';
import { isNode, type Module, type Node, nameOf, nodesOf } from './parse.js';

/** A part of the text that another takes the place of. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** True if what stood there is in a comment now. */
  readonly isLeft?: boolean;
}

/** What a module imports: the names there, by those in the module. */
export interface Imported {
  readonly evalite: ReadonlyMap<string, string>;
}

interface Ongoing {
  readonly module: Module;
  readonly imported: Imported;
  readonly tally: Tally;
  /** Helpers that the file needs; grows. */
  readonly used: Set<ScorerHelper>;
  /** Names that are taken; grows. */
  readonly names: Set<string>;
}

/** What a call of evalite becomes. */
export interface Made {
  readonly edits: readonly Edit[];
  /** Their number; `undefined` where only the code knows. */
  readonly cases: number | undefined;
}

/** The edits that turn a statement with a call of evalite into an evaluation; `undefined` where it has another form. */
export function evaluationOf(statement: Node, call: Node, ongoing: Ongoing): Made | undefined {
  const { module, imported, names } = ongoing;
  const form = formOf(call.callee, imported);
  const [first, second, ...rest] = (call.arguments as readonly { readonly expression: Node }[]).map(
    ({ expression }) => expression,
  );
  const title = nameOf(first);
  const isKnown = form !== undefined && title !== undefined && rest.length === 0;
  if (!isKnown || second?.type !== 'ObjectExpression') return undefined;
  const options = module.placeOf(second);
  const whole = module.placeOf(statement);
  const name = uniqueName(camelName(title) || 'evaluation1', names, '');
  const { variants } = form;
  const titleText = module.textOf(first as Node);
  const variant = variants === undefined ? undefined : variantOf(second, module);
  const named =
    variants === undefined
      ? title === name
        ? []
        : [`name: ${titleText}`]
      : [`name: \`${title.replace(/[`\\]|\$\{/g, '\\$&')} [\${variantName}]\``];
  const added = [...named, ...(form.isSkipped ? ['skip: true'] : [])];
  const head =
    variants === undefined
      ? `export const ${name} = evaluation(`
      : `export const ${name} = ${module.textOf(variants)}.map(({ name: variantName, input: ${variant} }) =>\n  evaluation(`;
  return {
    edits: [
      { start: whole.start, end: options.start, text: head },
      ...(added.length === 0
        ? []
        : [
            insertion(options.start + 1, added, {
              object: second,
              module,
              depth: variants ? '  ' : '',
            }),
          ]),
      ...(second.properties as readonly Node[]).flatMap((property) =>
        propertyEdits(property, ongoing, { variant, inputType: inputTypeOf(call, module) }),
      ),
      ...(variants === undefined
        ? []
        : [
            ...deeper(second, module),
            { start: options.end, end: module.placeOf(call).end, text: '),\n)' },
          ]),
    ],
    cases: variants === undefined ? countCases(second) : undefined,
  };
}

/** `evalite`, `evalite.skip` or `evalite.each([…])`. */
function formOf(
  callee: unknown,
  { evalite }: Imported,
): { readonly isSkipped: boolean; readonly variants?: Node } | undefined {
  if (!isNode(callee)) return undefined;
  if (evalite.get(nameOf(callee) ?? '') === 'evalite') return { isSkipped: false };
  const member = callee.type === 'CallExpression' ? callee.callee : callee;
  if (!isNode(member) || member.type !== 'MemberExpression') return undefined;
  if (evalite.get(nameOf(member.object) ?? '') !== 'evalite') return undefined;
  const method = nameOf(member.property);
  if (callee.type === 'CallExpression') {
    const [variants] = callee.arguments as readonly { readonly expression: Node }[];
    return method === 'each' && variants !== undefined
      ? { isSkipped: false, variants: variants.expression }
      : undefined;
  }
  return method === 'skip' || method === 'experimental_skip' ? { isSkipped: true } : undefined;
}

interface Place {
  readonly object: Node;
  readonly module: Module;
  /** Added to its indentation. */
  readonly depth: string;
}

/** Properties at the beginning of an object, on a line of their own where the others have one. */
function insertion(at: number, added: readonly string[], { object, module, depth }: Place): Edit {
  const [, indent] = /^\{(\r?\n[ \t]*)/.exec(module.textOf(object)) ?? [];
  const text = added.map((one) => `${indent === undefined ? ' ' : indent + depth}${one},`).join('');
  return { start: at, end: at, text };
}

/** Lines of a node one level deeper; those of template literals keep their text. */
function deeper(node: Node, module: Module): Edit[] {
  const { start, end } = module.placeOf(node);
  const templates = [...nodesOf(node)]
    .filter(({ type }) => type === 'TemplateLiteral')
    .map((one) => module.placeOf(one));
  const edits: Edit[] = [];
  for (let at = module.text.indexOf('\n', start) + 1; at > 0 && at < end; ) {
    const isText = templates.some((one) => one.start < at && at <= one.end);
    const isEmpty = /^\r?\n/.test(module.text.slice(at, at + 2));
    if (!isText && !isEmpty) edits.push({ start: at, end: at, text: '  ' });
    at = module.text.indexOf('\n', at) + 1;
  }
  return edits;
}

function keyOf(property: Node): string | undefined {
  return property.type === 'Identifier' ? nameOf(property) : nameOf(property.key);
}

const renamed: Readonly<Record<string, string>> = {
  data: 'cases',
  task: 'target',
  scorers: 'evaluators',
  trialCount: 'trials',
};

/** What the task of an evaluation gets. */
interface TaskFacts {
  /** The name of its second parameter, for variants. */
  readonly variant: string | undefined;
  /** The type that the call gives the input. */
  readonly inputType: string | undefined;
}

function inputTypeOf({ typeArguments }: Node, module: Module): string | undefined {
  const [first] = isNode(typeArguments) ? (typeArguments.params as readonly Node[]) : [];
  return first && module.textOf(first);
}

function propertyEdits(property: Node, ongoing: Ongoing, facts: TaskFacts): Edit[] {
  const { module, tally } = ongoing;
  const key = keyOf(property);
  const name = key !== undefined && Object.hasOwn(renamed, key) ? renamed[key] : undefined;
  if (key === undefined || name === undefined) {
    leave(tally, key ?? '...');
    const { start, end } = module.placeOf(property);
    return [
      leftAs(
        leftComment('assay has no such option.', dedented(property, module)),
        { start, end },
        module,
      ),
    ];
  }
  if (property.type === 'Identifier') {
    const given = key === 'task' ? calledWith(key, facts.variant) : key;
    return [{ ...module.placeOf(property), text: `${name}: ${given}` }];
  }
  const rename: Edit = { ...module.placeOf(property.key as Node), text: name };
  if (key === 'task') return [rename, ...taskEdits(property, ongoing, facts)];
  if (key === 'scorers' && isNode(property.value))
    return [rename, ...scorersEdits(property.value, ongoing)];
  return [rename];
}

/** The text of a property without the indentation that its first line has. */
function dedented(property: Node, module: Module): string {
  const { start } = module.placeOf(property);
  const before = module.text.slice(module.text.lastIndexOf('\n', start - 1) + 1, start);
  const indent = /^[ \t]*/.exec(before)?.[0] ?? '';
  return module.textOf(property).replaceAll(`\n${indent}`, '\n');
}

/** The lines of a comment in the place of a property, without the comma that follows. */
function leftAs(
  lines: readonly string[],
  { start, end }: { readonly start: number; readonly end: number },
  module: Module,
): Edit {
  const before = module.text.slice(module.text.lastIndexOf('\n', start) + 1, start);
  const indent = /^\s*/.exec(before)?.[0] ?? '';
  const comma = /^\s*,/.exec(module.text.slice(end))?.[0].length ?? 0;
  const text = lines.map((line) => `// ${line}`.trimEnd()).join(`\n${indent}`);
  const isLineEnd = /^[ \t]*(\r?\n|$)/.test(module.text.slice(end + comma));
  return { start, end: end + comma, text: isLineEnd ? text : `${text}\n${indent}`, isLeft: true };
}

/** A function that is called with the input of the context. */
function calledWith(code: string, variant: string | undefined): string {
  return `({ input }) => ${code}(input${variant === undefined ? '' : `, ${variant}`})`;
}

function paramsOf(task: Node): readonly Node[] {
  const params = (task.params ?? []) as readonly Node[];
  return params.map((one) => (one.type === 'Parameter' && isNode(one.pat) ? one.pat : one));
}

/** The name that the value of a variant has in the task. */
function variantOf(options: Node, module: Module): string {
  const task = (options.properties as readonly Node[]).find((one) => keyOf(one) === 'task');
  const [, second] = task === undefined ? [] : paramsOf(isNode(task.value) ? task.value : task);
  return second === undefined ? 'variant' : patternText(second, module).pattern;
}

/** A pattern and its type, apart. */
function patternText(
  node: Node,
  module: Module,
): { readonly pattern: string; readonly type?: string } {
  const { start, end } = module.placeOf(node);
  if (!isNode(node.typeAnnotation)) return { pattern: module.text.slice(start, end) };
  const type = module.placeOf(node.typeAnnotation);
  return {
    pattern: module.text.slice(start, Math.min(type.start, Math.max(end, start))).trim(),
    type: module.text.slice(type.start, type.end).replace(/^:\s*/, ''),
  };
}

function taskEdits(property: Node, { module }: Ongoing, { variant, inputType }: TaskFacts): Edit[] {
  const isMethod = property.type === 'MethodProperty';
  const task = isMethod ? property : (property.value as Node);
  const isInline = isMethod || /^(ArrowFunctionExpression|FunctionExpression)$/.test(task.type);
  const params = isInline ? paramsOf(task) : [];
  const [first] = params;
  if (!isInline || first?.type === 'AssignmentPattern' || first?.type === 'RestElement') {
    const code = module.textOf(task);
    const called =
      task.type === 'Identifier' || task.type === 'MemberExpression' ? code : `(${code})`;
    if (isMethod) return [];
    return [{ ...module.placeOf(task), text: calledWith(called, variant) }];
  }
  if (first === undefined) return [];
  const { pattern, type = inputType } = patternText(first, module);
  const last = params.at(-1) ?? first;
  const end = Math.max(
    module.placeOf(last).end,
    isNode(last.typeAnnotation) ? module.placeOf(last.typeAnnotation).end : 0,
  );
  const { start } = module.placeOf(first);
  const bound = pattern === 'input' ? '{ input }' : `{ input: ${pattern} }`;
  const text = type === undefined ? bound : `${bound}: { input: ${type} }`;
  const before = module.text.slice(module.placeOf(task).start, start);
  return [{ start, end, text: before.includes('(') ? text : `(${text})` }];
}

function scorersEdits(value: Node, ongoing: Ongoing): Edit[] {
  const { module, imported, tally, used } = ongoing;
  if (value.type !== 'ArrayExpression') return [];
  const elements = value.elements as readonly (null | { readonly expression: Node })[];
  return elements.flatMap((element): Edit[] => {
    if (element === null) return [];
    const { expression } = element;
    const place = module.placeOf(expression);
    const name = nameOf(expression) ?? nameOf(expression.callee);
    const ofEvalite = imported.evalite.get(name ?? '');
    const isLeft = ofEvalite !== undefined && ofEvalite !== 'createScorer';
    tally.assertions.set(expression, !isLeft);
    if (isLeft) {
      leave(tally, ofEvalite);
      used.add('todo');
      const indent = /[ \t]*$/.exec(module.text.slice(0, place.start))?.[0] ?? '';
      const lines = leftComment('assay has no such scorer.', module.textOf(expression));
      const comment = lines.map((line) => `// ${line}\n${indent}`).join('');
      const isFirst =
        /\[\s*$/.test(module.text.slice(0, place.start)) &&
        !/\n[ \t]*$/.test(module.text.slice(0, place.start));
      return [
        {
          ...place,
          text: `${isFirst ? '\n' : ''}${comment}todo('${ofEvalite}')`,
          isLeft: true,
        },
      ];
    }
    if (expression.type !== 'ObjectExpression') return [];
    used.add('scorerOf');
    return [
      { start: place.start, end: place.start, text: 'scorerOf(' },
      { start: place.end, end: place.end, text: ')' },
    ];
  });
}

/** The number of cases that stand in the call. */
function countCases(options: Node): number | undefined {
  const data = (options.properties as readonly Node[]).find((one) => keyOf(one) === 'data');
  let value: unknown = data?.value ?? data?.body;
  if (isNode(value) && /Function/.test(value.type)) value = value.body;
  if (isNode(value) && /^(BlockStatement|FunctionBody)$/.test(value.type)) {
    const [only, ...others] = value.stmts as readonly Node[];
    value = others.length === 0 && only?.type === 'ReturnStatement' ? only.argument : undefined;
  }
  while (isNode(value) && /^(Parenthesis|TsAs|TsSatisfies|TsConst)/.test(value.type))
    value = value.expression;
  if (!isNode(value) || value.type !== 'ArrayExpression') return undefined;
  const elements = value.elements as readonly (null | { readonly spread: unknown })[];
  return elements.some((one) => one?.spread) ? undefined : elements.length;
}
