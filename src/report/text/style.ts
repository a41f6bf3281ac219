// How text stands out, and how wide it may be. Reports are given a style; only the command line knows whether there is a terminal.

/** What a piece of text means, so that a terminal may colour it. */
export interface Style {
  readonly add: (text: string) => string;
  readonly change: (text: string) => string;
  readonly remove: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly error: (text: string) => string;
  /** The number of columns that a line may take; `Infinity` where lines are not wrapped. */
  readonly width: number;
}

const same = (text: string): string => text;

/** How wide a line is where nothing says otherwise: it fits most terminals and a review comment. */
export const WIDTH = 100;

/** Text as it is. */
export const PLAIN: Style = {
  add: same,
  change: same,
  remove: same,
  strong: same,
  faint: same,
  warn: same,
  error: same,
  width: WIDTH,
};

/** The width of prose: that of the terminal, but no wider than people like to read. */
export const readable = ({ width }: Style): number => Math.min(width, WIDTH);
