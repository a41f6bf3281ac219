// `observe --forget`: deletes everything that the store contains about a machine.
import { forgotten } from '../../access/state/keptAnswers.ts';
import { stateOfAnswers } from '../../access/state/stateOfAnswers.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import type { StoreWriter } from '../../read/observations/writeStore.ts';
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
  { name: store, writer }: OpenStore,
  idOf: IdOf,
  io: Io,
): Promise<void> {
  for (const given of machines) {
    const [, name = ''] = /^(?:[a-z]+\/)?(.+)$/.exec(given) ?? [];
    const id = name.startsWith('id:')
      ? name.slice(3)
      : (storedId(name, writer) ?? (await idOf(name)));
    if (id === null)
      throw new Stop(
        EXIT.invalid,
        `neither the store ${nameText(store)} nor the account has exactly one machine named ${quoted(name)}`,
        'name the machine by its id: --forget id:ID',
      );
    const mark = forgottenMark(writer.states, id, io.now());
    await writer.compact({ machine: id, state: account => forgotten(account, id), mark });
    say(
      io.stderr,
      `the store ${nameText(store)} has nothing about the machine ${nameText(id)} any more`,
    );
  }
}

// The id of a machine whose name is in the store; null if the store does not contain the name, or
// if several machines had it.
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
