// `observe --forget`: deletes everything that the store contains about a machine.
import { forgotten, idsOfAccount, MACHINE_KIND } from '../../access/state/keptAnswers.ts';
import { stateOfAnswers } from '../../access/state/stateOfAnswers.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import type { LeftOut, StoreWriter } from '../../read/observations/writeStore.ts';
import { forgottenMark } from '../../usage/store/forgotten.ts';
import { statesIn } from '../../usage/store/stateLog.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';
import type { OpenStore } from './openStore.ts';

/** Finds the id of a machine by its name in the account. */
export type IdOf = (name: string) => Promise<string | null>;

/** Deletes machines. The words name them as `peer/NAME`, `peer/id:ID` or `id:ID`. */
export async function forgetMachines(
  machines: readonly string[],
  store: OpenStore,
  idOf: IdOf,
  io: Io,
): Promise<void> {
  const { name, writer } = store;
  for (const given of machines) {
    const id = await idFrom(given, store, idOf);
    const isKnown = isInStates(id, writer) || (await writer.mentions(id));
    const mark = forgottenMark(writer.states, id, io.now());
    const state: LeftOut['state'] = account => forgotten(account, id);
    await writer.compact({ machine: id, state, ...(isKnown && { mark }) });
    const said = isKnown ? ['has', ' any more'] : ['had', ''];
    say(
      io.stderr,
      `the store ${nameText(name)} ${said[0]} nothing about the machine ${nameText(id)}${said[1]}`,
    );
  }
}

async function idFrom(
  given: string,
  { name: store, writer }: OpenStore,
  idOf: IdOf,
): Promise<string> {
  const name = given.startsWith(PREFIX) ? given.slice(PREFIX.length) : given;
  const id = name.startsWith('id:')
    ? name.slice(3)
    : (storedId(name, writer) ?? (await idOf(name)));
  if (id === '')
    throw new Stop(
      EXIT.usage,
      `${quoted(given)} of --forget has no id`,
      'the likely cause is an unset variable: set it, or remove the flag',
    );
  if (id === null)
    throw new Stop(
      EXIT.invalid,
      `neither the store ${nameText(store)} nor the account has exactly one machine named ${quoted(name)}`,
      'name the machine by its id: --forget id:ID',
    );
  return id;
}

const PREFIX = `${MACHINE_KIND}/`;

const isInStates = (id: string, { states }: StoreWriter): boolean =>
  statesIn(states).some(({ account }) => idsOfAccount(account).has(id));

// The id of a machine whose name the store contains; null if the store has no such name, or if several machines had it.
function storedId(name: string, { states }: StoreWriter): string | null {
  const ids = new Set<string>();
  for (const { account } of statesIn(states)) {
    const answered = stateOfAnswers(account);
    if ('faults' in answered) continue;
    for (const { key, id } of answered.state.machines)
      if (key === name && id !== undefined) ids.add(id);
  }
  const [id] = ids;
  return ids.size === 1 && id !== undefined ? id : null;
}
