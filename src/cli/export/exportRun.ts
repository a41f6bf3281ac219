// One run of `export`: its flags, what it selects, and the tools it works with.
import type { Selection } from '../../export/select.ts';
import type { Dialect } from '../../kinds/traits.ts';
import type { Schemas } from '../../pipeline.ts';
import type { AccountFlags } from '../flags/flags.ts';
import type { VariableFlags } from '../flags/variableFlags.ts';
import type { Io } from '../io.ts';

export interface ExportFlags extends AccountFlags, VariableFlags {
  readonly out?: string;
  readonly force?: boolean;
  readonly check?: string;
  readonly state?: string;
  readonly kinds?: readonly string[];
  readonly only?: readonly string[];
}

/** An export while it is carried out. */
export interface ExportRun {
  readonly tools: Schemas;
  readonly flags: ExportFlags;
  readonly io: Io;
  readonly selection: Selection;
  readonly dialect: Dialect;
}
