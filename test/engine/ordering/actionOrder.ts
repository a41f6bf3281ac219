// The order of the actions that a plan for small files and accounts has.
import { type Options, planFor, type Read } from '../planning.ts';

/** The ids of the actions, in order. */
export const order = (files: string, reads: readonly Read[], options: Options = {}) =>
  planFor(files, reads, { prune: 'unmanaged', ...options }).actions.map(({ id }) => String(id));

export const rules = (text: string) =>
  `policies: [{ name: p, rules: [{ name: all, protocol: tcp, ${text} }] }]`;
