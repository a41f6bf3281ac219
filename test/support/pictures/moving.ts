// Commands in a terminal one after another, as a picture that moves: each is typed, prints, and is followed to its end. Only CSS moves it, and
// somebody who asked their system for less motion sees one command at rest.
import { framed, type Picture } from './frame.ts';
import { CELL, lineAt, MARGIN, promptLine, widthOf } from './terminal.ts';

/** What one command printed; `note`: a comment above it. */
export interface Scene {
  readonly note: string;
  readonly command: string;
  readonly printed: string;
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** How long things take, in seconds. */
const SECONDS = { perCharacter: 0.04, pause: 1.2, perLine: 0.06, longest: 3, rest: 4 } as const;

/** A picture of a terminal of this size; without motion it shows the scene of the number `atRest`. */
export function movingPicture(
  scenes: readonly Scene[],
  { columns, rows, atRest }: Size & { readonly atRest: number },
  picture: Picture,
): string {
  const timed = timesOf(scenes, rows);
  const total = timed.at(-1)?.end ?? 0;
  const height = rows * CELL.height + 2 * MARGIN;
  const width = widthOf(columns);
  const body = timed.flatMap(({ scene, scrolled }, at) => [
    `<g class="scene scene-${at}">`,
    ...sheetOf(scene, { at, scrolled }),
    '</g>',
  ]);
  const clip = `<clipPath id="screen"><rect x="0" y="${MARGIN}" width="${width}" height="${rows * CELL.height}"/></clipPath>`;
  return framed(picture, {
    width,
    height,
    body: [clip, '<g clip-path="url(#screen)">', ...body, '</g>'],
    style: styleOf(timed, { total, atRest }),
  });
}

interface Timed {
  readonly scene: Scene;
  /** The lines that leave the screen at the top. */
  readonly scrolled: number;
  readonly start: number;
  readonly typed: number;
  readonly printed: number;
  readonly atEnd: number;
  readonly end: number;
}

/** The lines above what a command printed: the note, the command, and an empty one. */
const ABOVE = 3;

/** The characters of a command with its prompt. */
const stepsOf = ({ command }: Scene): number => command.length + 2;

const linesOf = ({ printed }: Scene): readonly string[] => printed.trimEnd().split('\n');

function timesOf(scenes: readonly Scene[], rows: number): readonly Timed[] {
  const timed: Timed[] = [];
  for (const scene of scenes) {
    const start = timed.at(-1)?.end ?? 0;
    const scrolled = Math.max(0, ABOVE + linesOf(scene).length - rows);
    const typed = start + scene.command.length * SECONDS.perCharacter;
    const printed = typed + (scrolled > 0 ? SECONDS.pause : 0);
    const atEnd = printed + Math.min(scrolled * SECONDS.perLine, SECONDS.longest);
    timed.push({ scene, scrolled, start, typed, printed, atEnd, end: atEnd + SECONDS.rest });
  }
  return timed;
}

function sheetOf(
  scene: Scene,
  { at, scrolled }: { readonly at: number; readonly scrolled: number },
): readonly string[] {
  const y = (row: number): number => MARGIN + (row + 0.75) * CELL.height;
  return [
    scrolled > 0 ? `<g class="sheet-${at}">` : '<g>',
    ...lineAt(`\u001b[2m# ${scene.note}\u001b[22m`, y(0)),
    `<g class="command-${at}">`,
    // The box gives the group the whole width of what is typed, which is uncovered from the left.
    `<rect class="box" x="${MARGIN}" y="${MARGIN + CELL.height}" width="${(stepsOf(scene) * CELL.width).toFixed(1)}" height="${CELL.height}"/>`,
    ...lineAt(promptLine(scene.command), y(1)),
    '</g>',
    `<g class="printed-${at}">`,
    ...linesOf(scene).flatMap((line, row) => lineAt(line, y(ABOVE + row))),
    '</g>',
    '</g>',
  ];
}

function styleOf(
  timed: readonly Timed[],
  { total, atRest }: { readonly total: number; readonly atRest: number },
): string {
  const share = (seconds: number): string => `${((seconds / total) * 100).toFixed(2)}%`;
  const moves = timed.flatMap(one => movesOf(one, timed.indexOf(one), share));
  const names = moves.map(
    ({ selector, name }) =>
      `    .${selector} { animation: ${name} ${total.toFixed(1)}s infinite; }`,
  );
  return [
    '',
    '  .box { fill: none; }',
    `  .scene:not(.scene-${atRest}) { visibility: hidden; }`,
    // At rest, the end of the output stands on the screen.
    ...timed.flatMap(({ scrolled }, at) =>
      scrolled > 0
        ? [`  .sheet-${at} { transform: translateY(${-scrolled * CELL.height}px); }`]
        : [],
    ),
    '  @media (prefers-reduced-motion: no-preference) {',
    ...names,
    ...moves.map(({ name, frames }) => `    @keyframes ${name} { ${frames} }`),
    '  }',
    '',
  ].join('\n');
}

interface Move {
  readonly selector: string;
  readonly name: string;
  readonly frames: string;
}

function movesOf(
  { scene, scrolled, start, typed, printed, atEnd, end }: Timed,
  at: number,
  share: (seconds: number) => string,
): readonly Move[] {
  const during = (from: number, to: number): string =>
    [
      'from { visibility: hidden; animation-timing-function: step-end; }',
      `${share(from)} { visibility: visible; animation-timing-function: step-end; }`,
      `${share(to)}, to { visibility: hidden; }`,
    ]
      .slice(from === 0 ? 1 : 0)
      .join(' ');
  const scroll = `translateY(${-scrolled * CELL.height}px)`;
  return [
    { selector: `scene-${at}`, name: `scene-${at}`, frames: during(start, end) },
    { selector: `printed-${at}`, name: `printed-${at}`, frames: during(typed, end) },
    {
      selector: `command-${at}`,
      name: `command-${at}`,
      frames: [
        `from, ${share(start)} { clip-path: inset(0 100% 0 0); animation-timing-function: steps(${stepsOf(scene)}, end); }`,
        `${share(typed)}, to { clip-path: inset(0 0 0 0); }`,
      ].join(' '),
    },
    ...(scrolled === 0
      ? []
      : [
          {
            selector: `sheet-${at}`,
            name: `sheet-${at}`,
            frames: [
              `from, ${share(printed)} { transform: none; animation-timing-function: steps(${scrolled}, end); }`,
              `${share(atEnd)}, to { transform: ${scroll}; }`,
            ].join(' '),
          },
        ]),
  ];
}
