// The names of a run for people: its id, or the beginning of the id that lists show.

/** The number of hexadecimal digits of an id that distinguish runs. */
export const SHORT_RUN = 8;

/** The beginning of the id of a run, as lists show it. */
export const shortRun = (run: string): string => run.slice(0, SHORT_RUN);

/**
 * The runs that a text names by their whole ids or by beginnings of their ids. A beginning that is shorter than in lists names no
 * run.
 */
export const runsNamed = <T extends { readonly run: string }>(
  runs: readonly T[],
  text: string,
): readonly T[] =>
  runs.filter(({ run }) => run === text || (text.length >= SHORT_RUN && run.startsWith(text)));
