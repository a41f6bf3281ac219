// The git revision of the files of a run.

/** Why files have no revision. */
export interface NotCommitted {
  /** Completes "…: ". */
  readonly why: string;
  readonly hint?: string | undefined;
}

/** The commit that has the files, or why there is none. */
export type FileRevision = { readonly revision: string } | NotCommitted;
