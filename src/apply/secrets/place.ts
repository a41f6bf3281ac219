// Prepares the place for secrets that the server shows once. If the place cannot store them, the apply is refused before any
// write.
import { secretShownBy } from '../../engine/actions/secretShownBy.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Plan } from '../../model/plan.ts';
import type { KeepSecret } from '../port.ts';
import { isRefusal, type PlaceRefusal } from '../refusal.ts';
import type { AwaitedSecret } from './awaitedSecret.ts';
import type { SecretPlace } from './places.ts';

/** The one-time secrets that a plan will reveal. */
export function awaitedSecrets({ actions }: Plan, kinds: KindTable): AwaitedSecret[] {
  return actions.flatMap(action => {
    const field = secretShownBy(action, kinds.get(action.kind));
    return field === undefined ? [] : [{ address: action.address, field }];
  });
}

/** Prepares a place; undefined if the plan reveals no secret. */
export async function openPlace(
  place: SecretPlace | undefined,
  awaited: readonly AwaitedSecret[],
  state: readonly string[],
): Promise<KeepSecret | PlaceRefusal | undefined> {
  if (place === undefined || awaited.length === 0) return undefined;
  const keep = await place(awaited, state);
  return isRefusal(keep) ? keep : oneAtATime(keep);
}

// Stores one secret at a time, because lines from concurrent writes could be mixed, and a command
// may not support concurrent runs.
function oneAtATime(keep: KeepSecret): KeepSecret {
  let last: Promise<unknown> = Promise.resolve();
  return secret => {
    const mine = last.then(() => keep(secret));
    last = mine;
    return mine;
  };
}
