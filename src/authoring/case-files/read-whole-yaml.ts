import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import type { TextPosition } from '../../text/text-position.js';
import { CaseFileError } from './case-file-error.js';
import type { ParsedRows } from './rows-to-cases.js';

/** The rows of any YAML list, with a complete parser; `plain-yaml.ts` is faster for plain documents. */
export function readWholeYaml(text: string, file: string): ParsedRows {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, merge: true });
  const [fault] = document.errors;
  if (fault !== undefined) {
    throw new CaseFileError(file, at(fault.pos[0]), faultText(fault), fault);
  }
  const list = document.contents;
  if (!isSeq(list)) {
    throw new CaseFileError(
      file,
      at(list?.range?.[0]),
      'it must contain a list of cases: - input: …',
    );
  }
  return { rows: toRows(), locate: (index, field) => at(findField(list.items[index], field)) };

  function toRows(): unknown[] {
    const circle = text.includes('*') ? findCircle(document) : undefined;
    if (circle !== undefined) {
      const reason = `the alias *${circle.source} refers to itself`;
      throw new CaseFileError(file, at(circle.range?.[0]), reason);
    }
    try {
      return document.toJS() as unknown[]; // the document's content is a sequence
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CaseFileError(file, at(0), `it is not YAML: ${reason}`, error);
    }
  }

  function at(offset = 0): TextPosition {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

function faultText({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'it must be one YAML document';
  // The parser is recursive.
  return /call stack/.test(message) ? 'it is nested too deeply' : `it is not YAML: ${message}`;
}

/** The first alias within its own anchor. */
function findCircle(document: Document): Alias | undefined {
  let circle: Alias | undefined;
  visit(document, {
    Alias: (_key, alias, path) => {
      const around = path
        .filter(isNode)
        .some((node) => !isAlias(node) && node.anchor === alias.source);
      if (!around) return undefined;
      circle = alias;
      return visit.BREAK;
    },
  });
  return circle;
}

function findField(item: unknown, field: string | undefined): number | undefined {
  const key = isMap(item)
    ? item.items.map((pair) => pair.key).find((one) => isScalar(one) && one.value === field)
    : undefined;
  if (isScalar(key)) return key.range?.[0];
  return isNode(item) ? item.range?.[0] : undefined;
}
