// The style of drawings: widths and colours of lines, in both themes.
import { CHANGE_WORDS } from './changeWords.ts';
import { LINE_KINDS } from './portKinds.ts';

/** The widths of lines, each for fewer pairs than `below`. */
export const WIDTHS = [
  { below: 10, width: 1.4, meaning: 'up to 9 pairs' },
  { below: 100, width: 2.4, meaning: '10 to 99' },
  { below: 1_000, width: 3.6, meaning: '100 to 999' },
  { below: Infinity, width: 5, meaning: '1,000 or more' },
] as const;

/** The width of a line with this number of pairs, as an index of `WIDTHS`. */
export const widthStep = (pairs: number): number => WIDTHS.findIndex(({ below }) => pairs < below);

type Theme = 'light' | 'dark';

const coloured = (look: string, colour: string, ink: string): string => `
.drawing .${look} .way { stroke: ${colour}; }
.drawing .${look} .head, .drawing .badge.${look} rect { fill: ${colour}; stroke: ${colour}; }
.drawing .badge.${look} text { fill: ${ink}; }`;

const INK: Readonly<Record<Theme, string>> = { light: '#ffffff', dark: '#14171c' };

const coloursOf = (theme: Theme): string =>
  [
    ...LINE_KINDS.map(({ name, colour }) => coloured(`k-${name}`, colour[theme], INK[theme])),
    ...CHANGE_WORDS.map(({ name, colour }) => coloured(name, colour[theme], INK[theme])),
    ...CHANGE_WORDS.map(
      ({ object, colour }) =>
        `\n.drawing .box.${object} > rect { stroke: ${colour[theme]}; stroke-width: 2; }`,
    ),
  ].join('');

/** The size of all text, in pixels. */
export const TEXT_SIZE = 12;

/** Disabled nodes are dashed and labelled, because colour alone is not accessible. */
export const SVG_STYLE = `
.drawing { font: ${TEXT_SIZE}px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.drawing .paper { fill: #ffffff; }
.drawing .box > rect { fill: #f6f8fa; stroke: #57606a; }
.drawing .box.rule > rect { fill: #eaf2fd; stroke: #0a58b8; }
.drawing .box.place > rect { fill: #eef7ee; stroke: #1a6b2d; }
.drawing .box.router > rect { fill: #fdf5e6; stroke: #8a5a00; }
.drawing .box.off > rect { stroke-dasharray: 5 3; }
.drawing .frame rect { fill: none; stroke: #aab2bb; stroke-dasharray: 2 3; }
.drawing .frame text { fill: #4b535d; }
.drawing text { fill: #1b1f24; }
.drawing .note { fill: #4b535d; }
.drawing .sign { fill: none; stroke: #4b535d; stroke-width: 1.3; }
.drawing .way { fill: none; stroke: #6b7480; stroke-width: 1.2; }
.drawing .off .way { stroke-dasharray: 5 4; }
.drawing .head { fill: #6b7480; }
.drawing .badge text { font-weight: 700; text-anchor: middle; }
${WIDTHS.map(({ width }, at) => `.drawing .w${at} .way { stroke-width: ${width}; }`).join('\n')}
.drawing .lost .way, .drawing .gone .way { stroke-dasharray: 2 3; }
.drawing .changed .way { stroke-dasharray: 9 3; }
.drawing .box.removed > rect { stroke-dasharray: 2 3; }
${coloursOf('light')}
@media screen and (prefers-color-scheme: dark) {
  .drawing .paper { fill: #14171c; }
  .drawing .box > rect { fill: #20252c; stroke: #8b949e; }
  .drawing .box.rule > rect { fill: #13263f; stroke: #6cb0ff; }
  .drawing .box.place > rect { fill: #12291a; stroke: #5cc97b; }
  .drawing .box.router > rect { fill: #31260e; stroke: #e0b04a; }
  .drawing .frame rect { stroke: #57606a; }
  .drawing text { fill: #e6edf3; }
  .drawing .note, .drawing .frame text { fill: #b3bcc6; }
  .drawing .sign { stroke: #b3bcc6; }
  .drawing .way { stroke: #8b949e; }
  .drawing .head { fill: #8b949e; }
${coloursOf('dark')}
}
`;

/**
 * For a file that contains only a drawing: the whole drawing is on one page, as large as the page allows. `margin` is in
 * millimetres.
 */
export const printStyle = (
  { width, height }: { readonly width: number; readonly height: number },
  margin: number,
): string => `
@page { size: ${width > height ? 'landscape' : 'portrait'}; margin: ${margin}mm; }
@media print { svg.drawing { width: 100%; height: 100%; } }
`;
