// Checks that a store belongs to the account that an observation has read. A store itself cannot
// distinguish two accounts.
import { idsOfAccount } from '../../access/state/keptAnswers.ts';
import { nameText } from '../../model/text/visible.ts';
import { isOfOther } from '../../usage/store/unproven.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';
import type { ReadAccount } from './accountSeen.ts';
import type { OpenStore } from './openStore.ts';

/**
 * Throws a `Stop` if the store or its journal belongs to another account. Otherwise records the account in the store, and
 * compacts an unproven journal into it.
 */
export async function sameAccountOrStop(
  { name, writer }: OpenStore,
  server: string,
  seen: ReadAccount,
): Promise<void> {
  const { manifest, unproven } = writer;
  const { id, answers, connected } = seen;
  const isKnown = manifest.account !== '' && id !== '';
  const isSame = isKnown ? manifest.account === id : ['', server].includes(manifest.server);
  if (!isSame) throw ofOther(name, manifest.server);
  if (unproven !== null) {
    const ids = idsOfAccount(answers ?? {}).union(new Set(connected));
    if (isOfOther(unproven, ids)) {
      if (answers === null) throw incomparable(name, seen);
      throw ofOther(name, manifest.server);
    }
    await writer.compact();
  }
  const account = id || manifest.account;
  if (manifest.server !== server || manifest.account !== account)
    await writer.identify({ server, account });
}

function ofOther(name: string, server: string): Stop {
  const at = server === '' ? '' : `, at ${nameText(server)}`;
  return new Stop(
    EXIT.environment,
    `the store ${nameText(name)} belongs to another account${at}`,
    'name the store of this account, or an empty folder',
  );
}

const incomparable = (name: string, { fault }: ReadAccount): Stop =>
  new Stop(
    EXIT.environment,
    `the journal of the store ${nameText(name)} cannot be compared with the account, which could not be read: ${fault}`,
    'run the command again when the account can be read',
  );
