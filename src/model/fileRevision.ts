// The git revision of the files of a run.

/** Why files have no revision. */
export interface NotCommitted {
  /** A clause that completes a message after `: `. */
  readonly why: string;
  readonly hint?: string | undefined;
}

/** The commit that contains the files, or the reason why there is none. */
export type FileRevision = { readonly revision: string } | NotCommitted;
