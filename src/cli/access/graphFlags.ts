// The flags of `graph`, apart from what carries it out, so that help loads nothing else.
import type { StateFlags } from './accessState.ts';

/** The languages that a graph can be drawn in. */
export const GRAPH_FORMATS = ['mermaid', 'dot', 'svg'] as const;

export interface GraphFlags extends StateFlags {
  readonly format: (typeof GRAPH_FORMATS)[number];
  readonly out?: string;
  readonly force?: boolean;
}
