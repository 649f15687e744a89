/** Pixels of one character and one line, and of the frame around the text. */
const cell = { width: 7.8, height: 18 };
const padding = 14;
const fontSize = 13;

const style = `
    .frame { fill: #f6f8fa; stroke: #d0d7de } text { fill: #1f2328 } .bar { fill: #1b7c83 }
    .red { fill: #cf222e } .green { fill: #1a7f37 } .yellow { fill: #9a6700 } .cyan { fill: #1b7c83 } .dim { fill: #59636e }
    @media (prefers-color-scheme: dark) {
      .frame { fill: #151b23; stroke: #3d444d } text { fill: #d1d7e0 } .bar { fill: #76e3ea }
      .red { fill: #ff7b72 } .green { fill: #56d364 } .yellow { fill: #e3b341 } .cyan { fill: #76e3ea } .dim { fill: #9198a1 }
    }
  `;

/**
 * Draws what a program has printed on a terminal as an SVG that follows the reader's light or dark mode. Knows what
 * assay prints: eight colours, dim and bold, carriage return, and clearing what is below the cursor. `title` is for
 * readers who do not see pictures.
 */
export function terminalToSvg(output, title) {
  const lines = output
    .replace(/\r?\n$/, '')
    .split('\n')
    .map(drawnLine);
  const columns = Math.max(...lines.map((line) => line.length));
  const width = Math.ceil(columns * cell.width + 2 * padding);
  const height = lines.length * cell.height + 2 * padding;
  const body = lines.flatMap((line, row) => runs(line).map((run) => drawn(run, row)));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
  <title>${escapeXml(title)}</title>
  <style>${style}</style>
  <rect class="frame" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>
  <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${fontSize}">
${body.join('\n')}
  </g>
</svg>
`;
}

const introducer = '\u001b\\[';
/** A change of look, another control sequence, or a character. */
const pieces = new RegExp(`${introducer}([\\d;]*)m|${introducer}([\\d;?]*[A-HJKlh])|(.)`, 'gsu');

/** The characters of a line as they are seen at the end, with the class of each. */
function drawnLine(text) {
  const cells = [];
  let column = 0;
  let name = '';
  for (const [, codes, erase, character] of text.matchAll(pieces)) {
    if (codes !== undefined) name = classAfter(name, codes);
    else if (erase !== undefined) cells.length = column;
    else if (character === '\r') column = 0;
    else cells[column++] = { character, name };
  }
  return Array.from(cells, (one) => one ?? { character: ' ', name: '' });
}

function classAfter(before, codes) {
  const names = { 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow', 36: 'cyan' };
  return codes.split(';').reduce((name, code) => names[code] ?? (code === '1' ? name : ''), before);
}

/** Neighbours that look alike; blanks only hold places. */
function runs(line) {
  const found = [];
  for (const [column, { character, name }] of line.entries()) {
    const kind = barKind(character);
    const last = found.at(-1);
    const joins = last?.name === name && last.kind === kind;
    if (joins) last.text += character;
    else found.push({ column, name, kind, text: character });
  }
  return found.flatMap(withoutBlanks);
}

function withoutBlanks(run) {
  const text = run.text.trimEnd();
  const lead = text.length - text.trimStart().length;
  return text === '' ? [] : [{ ...run, column: run.column + lead, text: text.slice(lead) }];
}

function barKind(character) {
  return { '█': 'full', '░': 'empty' }[character];
}

/** Bars are rectangles, because block characters leave gaps in many fonts. */
function drawn({ column, name, kind, text }, row) {
  const x = round(padding + column * cell.width);
  const width = round(text.length * cell.width);
  const top = padding + row * cell.height;
  if (kind !== undefined) {
    const pale = kind === 'empty' ? ' opacity="0.25"' : '';
    return `    <rect class="bar"${pale} x="${x}" y="${top + 3}" width="${width}" height="${cell.height - 6}"/>`;
  }
  const look = name === '' ? '' : ` class="${name}"`;
  return `    <text${look} x="${x}" y="${top + 13}" textLength="${width}" xml:space="preserve">${escapeXml(text)}</text>`;
}

function round(value) {
  return Number(value.toFixed(1));
}

function escapeXml(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
