// Variables that the files of an account of a fleet cannot read.

/** Why files get no value for a variable, whether or not it is set. */
export interface Withheld {
  /** In words that follow the name of the variable. */
  readonly why: string;
  /** What to change so that these files can read it; absent if an apply may be able to read it. */
  readonly fix?: string;
}
