// What a plan says of small files and accounts: its codes, and how many actions it has.
import { planFor } from '../planning.ts';

export const found = (...given: Parameters<typeof planFor>) => {
  const { diagnostics, actions } = planFor(...given);
  return { codes: diagnostics.map(({ code }) => code), actions: actions.length };
};
