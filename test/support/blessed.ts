// The tests that write what they compare with if `BLESS=1`, in the order in which one needs what another wrote.

/** Each step's test files, without the suffix; a step reads what the steps before it wrote. */
export const BLESSED: readonly (readonly string[])[] = [
  ['contract/freshness'],
  ['kinds/language', 'kinds/desired-state-schema'],
  ['scenarios', 'source/faults', 'access/why/why', 'library'],
  ['docs', 'tables', 'docs/architecture', 'docs/counts', 'docs/pages', 'docs/pictures', 'man'],
];
