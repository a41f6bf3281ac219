// The state of a setup key (docs/server-behaviour.md#setup-keys).
import type { Clock } from '../environment.ts';
import type { SetupKeyRecord } from '../records/people.ts';
import { isPast } from '../time/times.ts';

export type SetupKeyState = 'expired' | 'revoked' | 'overused' | 'valid';

/** The state of a key. If several states apply, the first one in the list above is shown. */
export function stateOf(key: SetupKeyRecord, clock: Clock): SetupKeyState {
  if (isPast(key.expires, clock)) return 'expired';
  if (key.revoked) return 'revoked';
  return key.usage_limit > 0 && key.used_times >= key.usage_limit ? 'overused' : 'valid';
}
