// What shows a behaviour once more, on another way or in another place, is not run with every change: tests with the tag `variation`, and
// most rows of long tables. `npm run test:variations` runs everything of the commands.

const { MESHFORM_VARIATIONS = '' } = process.env;

/** Whether everything is run. */
export const hasVariations = MESHFORM_VARIATIONS !== '';

/** Rows of a table of tests, evenly spread: so many of them in most runs, all of them with `MESHFORM_VARIATIONS`. */
export function someOf<const Row>(rows: readonly Row[], count: number): readonly Row[] {
  if (hasVariations || count >= rows.length) return rows;
  return rows.filter(
    (_, i) => Math.floor((i * count) / rows.length) !== Math.floor(((i - 1) * count) / rows.length),
  );
}
