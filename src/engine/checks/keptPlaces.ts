// Objects that the server places by their names. The server never moves such an object, even if
// another place fits its name better later.
import type { Kind } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import { nameText } from '../../model/text/visible.ts';
import { placesOver } from '../actions/relations.ts';
import type { AccountState } from '../types/accountState.ts';
import type { Pair } from '../types/pairing.ts';
import type { DraftPlan } from './draftPlan.ts';

/** A warning for each declared object that stays in a place which no longer fits its name. */
export function keptPlaces({
  changes,
  pairing,
  after,
  context,
}: Pick<DraftPlan, 'changes' | 'pairing' | 'after' | 'context'>): readonly Diagnostic[] {
  const placed = pairing.pairs.filter(
    ({ desired }) => context.kind(desired.kind).identitySuffix?.keeps !== undefined,
  );
  const changed = new Map(changes.map(({ change }) => [change.address, change]));
  return placed.flatMap((pair): readonly Diagnostic[] => {
    const address = addressOf(pair.desired.kind, pair.desired.key);
    const kind = context.kind(pair.desired.kind);
    const change = changed.get(address);
    const isMoved =
      change?.type === 'replace' ||
      change?.fields.some(({ path: [name] }) => name === kind.identitySuffix?.field) === true;
    return isMoved ? [] : noteOf(pair, kind, { address, after });
  });
}

function noteOf(
  { desired, live }: Pair,
  kind: Kind,
  { address, after }: { readonly address: Address; readonly after: AccountState },
): readonly Diagnostic[] {
  const { keeps = '', namedBy = '', field = '' } = kind.identitySuffix ?? {};
  const kept = live.serverFields[keeps];
  const fields = { ...desired.fields, [field]: live.fields[field] ?? '' };
  const named = namedPlace(kind, fields, { namedBy, after });
  if (typeof kept !== 'string' || kept === '' || named === undefined || named === kept) return [];
  return [
    {
      code: 'STAYS_ELSEWHERE',
      severity: 'warning',
      message: `${address} stays with ${nameText(kept)}, although its ${field} now belongs to ${nameText(named)}: the server chooses only when an object is created or gets another ${field}`,
      at: desired.at,
      hint: `to move it, delete it in the account and apply again, or give it another ${field} and then this one again`,
    },
  ];
}

// The place that the server would choose now. An object that is a place itself comes before objects
// that refer to a place, and among those, longer names come before shorter names. Undefined if
// several places are equal, because the choice of the server is unknown then.
function namedPlace(
  kind: Kind,
  fields: Pair['desired']['fields'],
  { namedBy, after }: { readonly namedBy: string; readonly after: AccountState },
): string | undefined {
  const last = kind.identitySuffix?.kinds.at(-1);
  const all = placesOver(kind, fields).flatMap(address => {
    const found = after.objects.get(address);
    return found === undefined ? [] : [found];
  });
  const [own, ...others] = all.filter(one => one.kind === last);
  if (others.length > 0) return undefined;
  const chosen = own?.live?.key ?? all.find(one => one.kind !== last)?.fields[namedBy];
  return typeof chosen === 'string' ? chosen : undefined;
}
