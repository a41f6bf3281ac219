// Other objects with the name of an object in the files. The two may be confused.
import type { Kind } from '../../kinds/kind.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { addressOf, idKey } from '../../model/key.ts';
import type { Address, Key, RemoteId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import { pointer } from '../../model/text/pointer.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Meant } from '../types/pairing.ts';
import { namesakesOf } from './danglingReferences.ts';
import type { DraftPlan } from './draftPlan.ts';

/**
 * Warnings for names in the files that several live objects have. It is known which of these
 * objects the files mean.
 */
export function namesakes(draft: DraftPlan): Diagnostic[] {
  const { kinds, meant } = draft.input;
  if (meant === undefined || meant.size === 0) return [];
  const places = placesOfNames(draft, meant);
  const isMeant = meantByPlan(draft);
  return [...kinds.values()].flatMap(kind =>
    [...places].flatMap(([address, { key, at }]): Diagnostic[] => {
      const id = meant.get(address);
      if (!id || addressOf(kind.name, key) !== address) return [];
      const all = namesakesOf(kind, key, draft.input.snapshot.objects, draft.context.naming);
      const others = all
        .filter(live => live.id !== id && !isMeant(live))
        // If another folder declares an object under another name, this is reported for the object
        // that has the name now.
        .filter(live => !kind.unique || draft.declaredBy(live)?.id !== live.id);
      return others.length === 0 ? [] : [warning(kind, { address, key, at, id, others })];
    }),
  );
}

/** A name in the files, and the first place that uses it. */
interface NamePlace {
  readonly key: Key;
  readonly at: Span;
}

function placesOfNames({ input, run }: DraftPlan, meant: Meant): ReadonlyMap<Address, NamePlace> {
  const places = new Map<Address, NamePlace>();
  const note = (address: Address, key: Key, at: Span) => {
    if (meant.get(address) && !places.has(address)) places.set(address, { key, at });
  };
  for (const { kind: name, key, fields, at, spans } of run.remaining) {
    note(addressOf(name, key), key, at);
    const kind = input.kinds.get(name);
    for (const ref of kind ? refsIn(kind.shape, fields) : [])
      note(addressOf(ref.kind, ref.key as Key), ref.key as Key, spans[pointer(ref.path)] ?? at);
  }
  return places;
}

// Returns whether this run or another run gives a live object its name from the files.
function meantByPlan({ changes, pairing }: DraftPlan): (live: Live) => boolean {
  const { pairs, bystanders } = pairing;
  const declared = new Set([...pairs, ...bystanders].map(({ live }) => live));
  const deleted = new Set(
    changes.flatMap(({ change, live }) => (change.type === 'delete' && live ? live.id : [])),
  );
  return live => declared.has(live) || deleted.has(live.id);
}

interface Namesakes extends NamePlace {
  readonly address: Address;
  /** The object that the name in the files denotes. */
  readonly id: RemoteId;
  readonly others: readonly Live[];
}

function warning(kind: Kind, { address, key, at, id, others }: Namesakes): Diagnostic {
  const ids = others.map(live => quoted(idKey(live.id))).sort();
  return {
    code: 'OBJECT_NAMESAKE',
    severity: 'warning',
    message: `${address} denotes the object with id ${quoted(idKey(id))}, as before; the account also has other ${kind.plural} called ${quoted(key)}: ${ids.join(', ')}`,
    at,
    // An object that meshform can create is not a machine, so it keeps the access that it grants.
    hint: kind.verbs.has('create')
      ? 'no file declares them, and they stay as they are: delete them in the account if they are copies, or rename them'
      : 'they get no access through this name; rename them in the account',
  };
}
