// The flags for a store of observed traffic.
import { type Command, Option } from 'commander';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';
import { lifetime } from './lifetime.ts';

export interface StoreFlags {
  readonly store?: string;
  /** How far back to read, in milliseconds. */
  readonly since?: number;
}

/**
 * Adds the flags of a store to a command that judges a plan. `others`: flags with which the command
 * does not judge a plan.
 */
export function withStoreFlags(command: Command, others: readonly string[] = []): Command {
  const store = new Option(
    '--store <folder>',
    'traffic that `meshform observe` collected: removing access that is in use is a hazard',
  );
  const since = new Option(
    '--since <span>',
    'with --store: only this duration up to the last observation, such as 30d',
  ).argParser(lifetime);
  command.optionsGroup('Observed traffic:');
  for (const option of [store, since]) command.addOption(option.conflicts([...others]));
  return command;
}

/** Throws a `Stop` if a flag of a store is given for a question that does not concern use. */
export function refuseStore({ store, since }: StoreFlags): void {
  if (store === undefined && since === undefined) return;
  const message = '`--store` and `--since` are flags of `access used` and `access --html`';
  throw new Stop(EXIT.usage, message, 'access used [SELECTOR...] --store DIR');
}
