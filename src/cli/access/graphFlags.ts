// The flags of `graph`, in a file of their own so that help does not load the rest of the command.
import type { StateFlags } from './accessState.ts';

/** The languages that a graph can be drawn in. */
export const GRAPH_FORMATS = ['mermaid', 'dot', 'svg'] as const;

/** What nodes of a graph can be grouped by. */
export const GROUPED_BY = ['network'] as const;

export interface GraphFlags extends StateFlags {
  readonly only?: string;
  readonly by?: (typeof GROUPED_BY)[number];
  readonly format: (typeof GRAPH_FORMATS)[number];
  readonly out?: string;
  readonly force?: boolean;
}
