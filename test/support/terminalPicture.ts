// What a terminal shows as an SVG: lines of text, with the colours of its escape sequences. It has a light and a dark look.
import { xmlText } from '../../src/report/text/xmlText.ts';

/** The number of an escape sequence that begins a colour → the class of the text after it; other numbers end it. */
const CLASSES: Readonly<Record<string, string>> = {
  '1': 'strong',
  '2': 'faint',
  '31': 'remove',
  '32': 'add',
  '33': 'change',
};

const ENDS: Readonly<Record<string, readonly string[]>> = {
  '22': ['strong', 'faint'],
  '39': ['remove', 'add', 'change'],
};

const CELL = { width: 7.8, height: 18 } as const;
const MARGIN = 16;

const STYLE = `
  text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; }
  rect { fill: #f6f8fa; stroke: #d1d9e0; }
  .strong { font-weight: bold; }
  .faint { fill: #59636e; }
  .add { fill: #116329; }
  .change { fill: #7d4e00; }
  .remove { fill: #a40e26; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    rect { fill: #0d1117; stroke: #3d444d; }
    .faint { fill: #9198a1; }
    .add { fill: #7ee787; }
    .change { fill: #e3b341; }
    .remove { fill: #ff7b72; }
  }
`;

/** A picture of what a command printed to a terminal of so many columns. */
export function terminalPicture(
  command: string,
  printed: string,
  { title, columns }: { readonly title: string; readonly columns: number },
): string {
  const lines = [`\u001b[2m$\u001b[22m ${command}`, '', ...printed.trimEnd().split('\n')];
  const width = Math.ceil(columns * CELL.width) + 2 * MARGIN;
  const height = lines.length * CELL.height + 2 * MARGIN;
  const texts = lines.flatMap((line, row) => {
    const text = lineOf(line, MARGIN + (row + 0.75) * CELL.height);
    return text === '' ? [] : [text];
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${xmlText(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    ...texts,
    '</svg>',
  ].join('\n')}\n`;
}

// A renderer joins blanks: the indent is a place, and each run of text has its own.
function lineOf(line: string, y: number): string {
  const runs = runsOf(line).flatMap(({ text, column, classes }) => {
    const indent = text.length - text.trimStart().length;
    const shown = text.trim();
    if (shown === '') return [];
    const x = (MARGIN + (column + indent) * CELL.width).toFixed(1);
    const length = ([...shown].length * CELL.width).toFixed(1);
    const named = classes.length === 0 ? '' : ` class="${classes.join(' ')}"`;
    return [`<tspan x="${x}" textLength="${length}"${named}>${xmlText(shown)}</tspan>`];
  });
  return runs.length === 0 ? '' : `<text y="${y.toFixed(1)}">${runs.join('')}</text>`;
}

interface Run {
  readonly text: string;
  readonly column: number;
  readonly classes: readonly string[];
}

function runsOf(line: string): readonly Run[] {
  const runs: Run[] = [];
  let column = 0;
  let classes: readonly string[] = [];
  for (const [index, part] of line.split(ESCAPE).entries()) {
    if (index % 2 === 1) classes = after(classes, part);
    else {
      runs.push({ text: part, column, classes });
      column += [...part].length;
    }
  }
  return runs;
}

const ESCAPE = new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`);

function after(classes: readonly string[], number: string): readonly string[] {
  const begun = CLASSES[number];
  if (begun !== undefined) return [...classes, begun];
  return classes.filter(name => !ENDS[number]?.includes(name));
}
