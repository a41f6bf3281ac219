// Flags of the commands for many accounts. Addresses, tokens and certificates come from the credentials alone.
import { type Command, Option } from 'commander';
import { DIALECT_CHOICES, type DialectChoice } from '../../kinds/traits.ts';
import { collect, wholeNumber } from './flags.ts';
import { lifetime } from './lifetime.ts';

/** The flag with the time limit of each account. */
export const ACCOUNT_DEADLINE = '--account-deadline';

/** The default time limit, in seconds. */
export const ACCOUNT_SECONDS = 1800;

/** The selected accounts, and how many of them are handled at the same time. */
export interface FleetAccountsFlags {
  /** Names of accounts, in which `*` matches any text. */
  readonly account?: readonly string[];
  readonly atOnce: number;
}

/** The flags that determine how accounts are reached. */
export interface FleetServerFlags {
  readonly dialect?: DialectChoice;
  /** In seconds. */
  readonly timeout: number;
  readonly verbose?: boolean;
  readonly concurrency: number;
  /** Requests per minute with each token; overrides `rate` in fleet.yaml. */
  readonly rate?: number;
  /** The time limit of the whole run, in seconds. */
  readonly deadline?: number;
  /** The time limit of each run for an account, in seconds; 0 means no limit. */
  readonly accountDeadline: number;
}

/** Adds the flags that choose accounts. */
export const withFleetAccounts = (command: Command): Command =>
  command
    .optionsGroup('Fleet:')
    .option('--account <name>', 'only this account; `*` matches any text; may be repeated', collect)
    .option('--at-once <number>', 'how many accounts are read at a time', wholeNumber, 8);

/** Adds the flags of a command that connects to the servers of accounts. */
export const withFleetServers = (command: Command): Command =>
  withFleetConnections(command).option(
    '--deadline <seconds>',
    'time limit of the whole run: no request starts after it',
    wholeNumber,
  );

/** Adds the flags of a command that connects to the servers of accounts and does not end by itself. */
export const withFleetConnections = (command: Command): Command =>
  command
    .optionsGroup('Accounts:')
    .addOption(
      new Option(
        '--dialect <name>',
        'dialect of the servers; `auto`, the default, detects it',
      ).choices([...DIALECT_CHOICES]),
    )
    .option('--timeout <seconds>', 'time limit of each attempt of a request', wholeNumber, 30)
    .option(
      `${ACCOUNT_DEADLINE} <seconds>`,
      'time limit of each account: no request of it starts after it; 0 is no limit',
      wholeNumberOrNone,
      ACCOUNT_SECONDS,
    )
    .option('--verbose', 'print a line for each request in the output of an account')
    .option(
      '--concurrency <number>',
      'number of concurrent requests to each account',
      wholeNumber,
      4,
    )
    .option(
      '--rate <number>',
      'requests per minute with each token; overrides `rate` in fleet.yaml',
      wholeNumber,
    );

// Parses a whole number; 0 means no limit.
const wholeNumberOrNone = (value: string): number => (value === '0' ? 0 : wholeNumber(value));

/** The argument of commands of a fleet. */
export const FLEET_PATH = ['[path]', 'a folder with a fleet.yaml, or the file', '.'] as const;

/** Adds the flags that determine how each account is applied. */
export const withFleetApplies = (command: Command): Command =>
  command
    .option('--wait <duration>', 'how long to wait for another run, such as 10m', lifetime)
    .addOption(
      new Option(
        '--on-error <what>',
        'in an account, after a failure: continue with independent actions, or stop',
      )
        .choices(['continue', 'stop'])
        .default('continue'),
    );
