import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** An element of a parsed document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** Reads a document; fails when it is not well-formed. */
export function readXml(document: string): XmlElement {
  const valid = XMLValidator.validate(document);
  if (valid !== true) throw new Error(`not well-formed: ${JSON.stringify(valid)}`);
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    ignoreDeclaration: true,
    processEntities: { enabled: true, maxTotalExpansions: 100_000 },
    htmlEntities: true,
  });
  const [root] = (parser.parse(document) as Node[])
    .map(toElement)
    .filter(({ name }) => name !== '#text');
  if (root === undefined) throw new Error('no element');
  return root;
}

type Node = { readonly ':@'?: Record<string, string> } & Record<string, unknown>;

function toElement(node: Node): XmlElement {
  const name = Object.keys(node).find((key) => key !== ':@') ?? '';
  if (name === '#text') return { name, attributes: {}, children: [], text: String(node[name]) };
  const children = (node[name] as Node[]).map(toElement);
  const text = children
    .filter((child) => child.name === '#text')
    .map((child) => child.text)
    .join('');
  return {
    name,
    attributes: node[':@'] ?? {},
    children: children.filter((child) => child.name !== '#text'),
    text,
  };
}

interface Rule {
  readonly required: Readonly<Record<string, RegExp>>;
  readonly optional?: Readonly<Record<string, RegExp>>;
  /** Names of the children in order, joined by blanks. */
  readonly content: RegExp;
}

const any = /^[\s\S]*$/;
const token = /\S/;
const whole = /^-?\d+$/;
const decimal = /^-?\d+(\.\d+)?$/;

/**
 * What both schemas in common use allow: JUnit.xsd of windyroad/JUnit-Schema (Ant's tasks) and junit-10.xsd of
 * Jenkins's xunit-plugin. Where one is stricter, it decides.
 */
const rules: Readonly<Record<string, Rule>> = {
  testsuites: { required: {}, content: /^(testsuite ?)*$/ },
  testsuite: {
    required: {
      name: token,
      package: any,
      id: whole,
      timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
      hostname: token,
      tests: whole,
      failures: whole,
      errors: whole,
      time: decimal,
    },
    optional: { skipped: whole },
    content: /^properties (testcase )*system-out system-err$/,
  },
  properties: { required: {}, content: /^(property ?)*$/ },
  property: { required: { name: token, value: any }, content: /^$/ },
  testcase: {
    required: { name: any, classname: any, time: decimal },
    content: /^(skipped|error|failure)?$/,
  },
  skipped: { required: {}, content: /^$/ },
  error: { required: { type: any }, optional: { message: any }, content: /^$/ },
  failure: { required: { type: any }, optional: { message: any }, content: /^$/ },
  'system-out': { required: {}, content: /^$/ },
  'system-err': { required: {}, content: /^$/ },
};

/** What of a document the schemas do not allow. */
export function schemaFaults(element: XmlElement): string[] {
  const rule = rules[element.name];
  if (rule === undefined) return [`no element ${element.name}`];
  const { required, optional = {}, content } = rule;
  const all: Readonly<Record<string, RegExp>> = { ...required, ...optional };
  const given = Object.entries(element.attributes);
  const names = element.children.map(({ name }) => name).join(' ');
  return [
    ...Object.keys(required)
      .filter((name) => element.attributes[name] === undefined)
      .map((name) => `${element.name} without ${name}`),
    ...given
      .filter(([name, value]) => !all[name]?.test(value))
      .map(([name, value]) => `${element.name} ${name}=${JSON.stringify(value)}`),
    ...(content.test(names) ? [] : [`${element.name} with ${names}`]),
    ...element.children.flatMap(schemaFaults),
  ];
}
