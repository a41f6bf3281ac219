// What a forge shows of a report in Markdown, as a picture: headings, bold paragraphs, code with its colours, a part that is folded.
import { xmlText } from '../../../src/report/text/xmlText.ts';
import { framed, type Picture } from './frame.ts';
import { CELL, MARGIN, runsAt, widthOf } from './terminal.ts';

/** A part of a report. */
type Part =
  | { readonly type: 'heading' | 'strong' | 'folded' | 'unfolded'; readonly text: string }
  | { readonly type: 'code'; readonly language: string; readonly lines: readonly string[] };

/** The first character of a line of a difference → its class. */
const MARKS: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'remove',
  '!': 'change',
  '#': 'faint',
};

const SANS = '-apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif';

const STYLE = `
  .paper { fill: #ffffff; }
  .head { fill: #f6f8fa; }
  .rule { stroke: #d1d9e0; }
  .prose { font-family: ${SANS}; font-size: 14px; }
  .heading { font-size: 18px; font-weight: bold; }
  .code { fill: #f6f8fa; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117; }
    .head, .code { fill: #151b23; }
    .rule { stroke: #3d444d; }
  }
`;

/** The height of the bar that says where the report stands. */
const BAR = 38;
const GAP = 14;
const INSET = 12;

/** A picture of a report that a pipeline wrote into a place, such as a comment on a pull request. */
export function markdownPicture(
  report: { readonly markdown: string; readonly place: string; readonly isUnfolded?: boolean },
  picture: Picture & { readonly columns: number },
): string {
  const { markdown, place, isUnfolded = false } = report;
  const { columns } = picture;
  const width = widthOf(columns);
  const body = [
    `<path class="head" d="M1 7a6 6 0 0 1 6-6h${width - 14}a6 6 0 0 1 6 6v${BAR - 7}h-${width - 2}z"/>`,
    `<path class="rule" d="M1 ${BAR}.5h${width - 2}"/>`,
    `<text class="prose faint" x="${MARGIN}" y="${BAR / 2 + 5}">${xmlText(place)}</text>`,
  ];
  let top = BAR + GAP;
  for (const part of partsOf(markdown, isUnfolded)) {
    const drawn = drawnAt(part, { top, columns });
    body.push(...drawn.body);
    top += drawn.height + GAP;
  }
  return framed(picture, { width, height: top + 2, body, style: STYLE });
}

// A line that this does not know is an error: a picture shows all of a report.
function partsOf(markdown: string, isUnfolded: boolean): readonly Part[] {
  const parts: Part[] = [];
  let isHidden = false;
  for (const found of markdown.matchAll(PART)) {
    const { heading, strong, summary, end, language = '', code, other } = found.groups ?? {};
    if (other !== undefined) throw new Error(`no picture of ${JSON.stringify(other)}`);
    if (end !== undefined) isHidden = false;
    if (isHidden) continue;
    if (heading !== undefined) parts.push({ type: 'heading', text: heading });
    if (strong !== undefined) parts.push({ type: 'strong', text: strong });
    if (code !== undefined) parts.push({ type: 'code', language, lines: code.split('\n') });
    if (summary === undefined) continue;
    parts.push({ type: isUnfolded ? 'unfolded' : 'folded', text: summary });
    isHidden = !isUnfolded;
  }
  return parts;
}

const PART =
  /^(?:<!--.*-->|### (?<heading>.+)|\*\*(?<strong>.+)\*\*|<details><summary>(?<summary>.+)<\/summary>|(?<end><\/details>)|```(?<language>\w+)\n(?<code>[\s\S]*?)\n```|(?<other>.+))$/gm;

interface Place {
  readonly top: number;
  readonly columns: number;
}

interface Drawn {
  readonly body: readonly string[];
  readonly height: number;
}

/** The height of a line of prose by what it is. */
const HEIGHTS = { heading: 26, strong: 20, folded: 20, unfolded: 20 } as const;
const SIGNS = { heading: '', strong: '', folded: '▸ ', unfolded: '▾ ' } as const;
const CLASSES = { heading: 'heading', strong: 'strong', folded: '', unfolded: '' } as const;

function drawnAt(part: Part, place: Place): Drawn {
  if (part.type === 'code') return codeAt(part, place);
  const height = HEIGHTS[part.type];
  const classes = ['prose', CLASSES[part.type]].join(' ').trim();
  const text = xmlText(`${SIGNS[part.type]}${part.text}`);
  return {
    body: [`<text class="${classes}" x="${MARGIN}" y="${place.top + height - 6}">${text}</text>`],
    height,
  };
}

function codeAt(
  { language, lines }: Extract<Part, { type: 'code' }>,
  { top, columns }: Place,
): Drawn {
  const room = columns - Math.ceil((2 * INSET) / CELL.width);
  const rows = lines.flatMap(line => {
    const named = language === 'diff' ? MARKS[line[0] ?? ''] : undefined;
    return wrapped(line, room).map(text => ({ text, named }));
  });
  const height = rows.length * CELL.height + 2 * INSET;
  const texts = rows.flatMap(({ text, named }, row) =>
    runsAt([{ text, column: 0, classes: named === undefined ? [] : [named] }], {
      x: MARGIN + INSET,
      y: top + INSET + (row + 0.75) * CELL.height,
    }),
  );
  const box = `<rect class="code" x="${MARGIN}" y="${top}" width="${widthOf(columns) - 2 * MARGIN}" height="${height}" rx="6"/>`;
  return { body: [box, ...texts], height };
}

// A forge lets people scroll to the end of a long line; a picture continues below, further in.
function wrapped(line: string, room: number): readonly string[] {
  const rows: string[] = [];
  let rest = line;
  while ([...rest].length > room) {
    const blank = rest.lastIndexOf(' ', room);
    const end = blank > 4 ? blank : room;
    rows.push(rest.slice(0, end));
    rest = `    ${rest.slice(end).trimStart()}`;
  }
  return [...rows, rest];
}
