// The flags of `graph`, in a separate file so that help does not load the rest of the command.
import type { NamedGrouping } from '../../access/picture/groupings.ts';
import type { StateFlags } from './questionState.ts';

/** The languages in which a graph can be drawn. */
export const GRAPH_FORMATS = ['mermaid', 'dot', 'svg'] as const;

export interface GraphFlags extends StateFlags {
  readonly only?: string;
  readonly by?: NamedGrouping;
  readonly format: (typeof GRAPH_FORMATS)[number];
  readonly out?: string;
  readonly force?: boolean;
}
