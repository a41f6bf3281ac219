// The exit codes of commands. The list in docs/commands.md comes from this table.

export const EXIT = {
  done: 0,
  failed: 1,
  changes: 2,
  invalid: 3,
  incomplete: 4,
  stale: 5,
  refused: 6,
  usage: 64,
  environment: 69,
  interrupted: 130,
  terminated: 143,
} as const;

/** The signals after which a command ends in an orderly way. A closed terminal sends `SIGHUP`. */
export const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** A signal that ends a command. */
export type Interrupt = (typeof INTERRUPTS)[number];

/** The exit code of a command that a signal has ended. */
export const exitOn = (signal: Interrupt): number =>
  signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;

/** The meaning of each exit code. */
export const EXIT_MEANING: Readonly<Record<number, string>> = {
  [EXIT.done]: 'done, or nothing to do',
  [EXIT.failed]: 'the API failed, or an unexpected error occurred',
  [EXIT.changes]:
    'there are changes (plan --detailed-exitcode), drift (drift), or differences (export --check, export --out)',
  [EXIT.invalid]: 'the input is invalid: YAML, schema, references',
  [EXIT.incomplete]: 'the apply is incomplete: the output lists what was done',
  [EXIT.stale]: 'the plan is stale: the account changed since it was made',
  [EXIT.refused]:
    'a guard refused: a hazard, a threshold, a protected object, a failing access test, a lint (validate --lint --strict)',
  [EXIT.usage]: 'the command line is wrong',
  [EXIT.environment]:
    'the environment cannot run meshform: Node is too old, the folder for journals cannot be written or others can write to it, an output belongs to another user, the server has no traffic log (observe), or a store of observed traffic cannot be used',
  [EXIT.interrupted]: 'interrupted',
  [EXIT.terminated]:
    'terminated, also by a closed terminal (SIGHUP) or by SIGQUIT; after these two, a shell shows 129 or 131 for a command that only reads',
};
