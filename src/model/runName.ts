// How people name a run: by its id, or by the beginning of it that lists show.

/** Hexadecimal digits of an id that tell runs apart. */
export const SHORT_RUN = 8;

/** The beginning of the id of a run, as lists show it. */
export const shortRun = (run: string): string => run.slice(0, SHORT_RUN);

/** The runs that a text names: by their whole ids, or by the beginnings of their ids. A shorter beginning names none. */
export const runsNamed = <T extends { readonly run: string }>(
  runs: readonly T[],
  text: string,
): readonly T[] =>
  runs.filter(({ run }) => run === text || (text.length >= SHORT_RUN && run.startsWith(text)));
