// Writes the reference in docs/programmatic.md from the types of assay/node.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const entry = fileURLToPath(new URL('../dist/node/index.d.ts', import.meta.url));
const program = ts.createProgram([entry], { module: ts.ModuleKind.NodeNext });
const checker = program.getTypeChecker();
const source = program.getSourceFile(entry);
const symbols = checker
  .getExportsOfModule(checker.getSymbolAtLocation(source))
  .map((symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  );

const docOf = (node) =>
  ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join(' ')
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/\s+/g, ' ');
const throwsOf = (node) =>
  ts
    .getJSDocTags(node)
    .filter(({ tagName }) => tagName.text === 'throws')
    .map((tag) => (ts.getTextOfJSDocComment(tag.comment) ?? '').replace(/\s+/g, ' '))
    .map((text) => text.replace(/\{@link (\w+)\}/g, '`$1`'));
const inCell = (text) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');

function* functions() {
  for (const symbol of symbols) {
    for (const node of symbol.declarations ?? []) {
      if (!ts.isFunctionDeclaration(node)) continue;
      const text = node
        .getText()
        .replace(/^export (declare )?/, '')
        .replace(/\/\*\*[\s\S]*?\*\/\s*/g, '')
        .replace(/readonly /g, '');
      const errors = throwsOf(node).map(
        (one) => `Throws an \`AssayError\`: ${one.replace(/^AssayError /, '')}.`,
      );
      yield [`### \`${symbol.name}\``, `\`\`\`text\n${text}\n\`\`\``, docOf(node), ...errors].join(
        '\n\n',
      );
    }
  }
}

/** Members of an interface, those of the interfaces that it extends left to them. */
function* options() {
  for (const symbol of symbols) {
    for (const node of symbol.declarations ?? []) {
      if (
        !ts.isInterfaceDeclaration(node) ||
        !node.getSourceFile().fileName.includes('/dist/node/')
      ) {
        continue;
      }
      const more = (node.heritageClauses ?? []).flatMap(({ types }) =>
        types.map((one) => `\`${one.getText()}\``),
      );
      const rows = node.members.map((member) => {
        const name = member.name?.getText() ?? '';
        const type = ts.isMethodSignature(member)
          ? member
              .getText()
              .slice(name.length)
              .replace(/^.*?\(/, '(')
              .replace(/;$/, '')
          : (member.type?.getText().replaceAll('readonly ', '') ?? '');
        return `| \`${name}\` | \`${inCell(type)}\` | ${inCell(docOf(member))} |`;
      });
      yield [
        `### ${symbol.name}`,
        [docOf(node), more.length > 0 ? `Also has the fields of ${more.join(' and ')}.` : '']
          .filter(Boolean)
          .join(' '),
        ...(rows.length > 0
          ? [['| name | type | meaning |', '| --- | --- | --- |', ...rows].join('\n')]
          : []),
      ]
        .filter(Boolean)
        .join('\n\n');
    }
  }
}

const page = new URL('../docs/programmatic.md', import.meta.url);
const [before, , after] = readFileSync(page, 'utf8').split(/<!-- reference(?:stop)? -->/);
const text = ['## Functions', ...functions(), '## Options and answers', ...options()].join('\n\n');
writeFileSync(page, `${before}<!-- reference -->\n\n${text}\n\n<!-- referencestop -->${after}`);
