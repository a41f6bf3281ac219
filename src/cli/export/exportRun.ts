// One run of `export`: its flags, its selection, and its dependencies.

import type { Planned } from '../../engine/plan/plan.ts';
import type { KnownBase } from '../../export/declarations.ts';
import type { Selection } from '../../export/exportSelection.ts';
import type { Dialect } from '../../kinds/traits.ts';
import type { Desired } from '../../model/object.ts';
import type { FateRequest } from '../../pipeline/exporting/fates.ts';
import type { Schemas } from '../../pipeline/schemas.ts';
import type { AccountFlags } from '../flags/flags.ts';
import type { VariableFlags } from '../flags/variableFlags.ts';
import type { Io, Sink } from '../io.ts';

export interface ExportFlags extends AccountFlags, VariableFlags {
  readonly out?: string;
  readonly force?: boolean;
  readonly check?: string;
  readonly state?: string;
  readonly fromState?: string;
  readonly kinds?: readonly string[];
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  readonly withUnknownServices?: boolean;
}

/** A run of `export`. */
export interface ExportRun {
  readonly tools: Schemas;
  readonly flags: ExportFlags;
  readonly io: Io;
  /** The destination for the list of written files. */
  readonly report: Sink;
  readonly selection: Selection;
  readonly dialect: Dialect;
  /** The recorded bases of the account, if the account shows texts that may be secrets. */
  readonly bases: readonly KnownBase[];
  /**
   * The request to determine what happened to objects that the files name and the account does not
   * have.
   */
  readonly became: FateRequest;
  /** Resolves to the next plan with its findings, if the files declare these objects. */
  readonly nextPlan: (desired: readonly Desired[]) => Promise<Planned>;
}
