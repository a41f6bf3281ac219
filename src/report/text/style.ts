// Colour and width of text. Reports receive a style; only the command line knows whether there is a terminal.

/** Functions that colour text by its meaning, and the width of lines. */
export interface Style {
  readonly add: (text: string) => string;
  readonly change: (text: string) => string;
  readonly remove: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly error: (text: string) => string;
  /** The width of a line in columns; `Infinity` if lines are not wrapped. */
  readonly width: number;
}

const same = (text: string): string => text;

/** The default width, which fits most terminals and a review comment. */
export const WIDTH = 100;

/** Text without colour. */
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

/** The width of prose: that of the terminal, up to a readable limit. */
export const readable = ({ width }: Style): number => Math.min(width, WIDTH);
