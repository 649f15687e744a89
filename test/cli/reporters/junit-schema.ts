import { readFileSync } from 'node:fs';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm';

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

/** The schemas in common use, by who reads by them. */
const schemas = ['ant', 'jenkins'] as const;

/** What of a document the schema of Ant's tasks, or that of Jenkins, does not allow: by libxml2. */
export function schemaFaults(document: string): string[] {
  const parsed = XmlDocument.fromString(document);
  try {
    return schemas.flatMap((name) => faultsOf(parsed, name));
  } finally {
    parsed.dispose();
  }
}

function faultsOf(document: XmlDocument, name: (typeof schemas)[number]): string[] {
  const text = readFileSync(new URL(`../../fixtures/junit/${name}.xsd`, import.meta.url));
  const schema = XmlDocument.fromBuffer(text);
  const validator = XsdValidator.fromDoc(schema);
  try {
    validator.validate(document);
    return [];
  } catch (error) {
    if (!(error instanceof XmlValidateError)) throw error;
    return error.details.map(({ message }) => `${name}: ${message.trim()}`);
  } finally {
    validator.dispose();
    schema.dispose();
  }
}
