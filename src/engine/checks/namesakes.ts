// Other objects with the name of an object that the files mean: they may be confused with it.
import { refsIn } from '../../kinds/values/refs.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { addressOf, idKey } from '../../model/key.ts';
import type { Address, Key } from '../../model/names.ts';
import { pointer } from '../../model/text/pointer.ts';
import { quoted } from '../../model/text/visible.ts';
import { namesakesOf } from './danglingReferences.ts';
import type { DraftPlan } from './draftPlan.ts';

/** A warning for each name in the files that several live objects have, although it is known which one is meant. */
export function namesakes({
  changes,
  input,
  run,
  pairing,
  declaredBy,
  context,
}: DraftPlan): Diagnostic[] {
  const { kinds, snapshot, meant } = input;
  if (meant === undefined || meant.size === 0) return [];
  // A declared object gets the name that the files give it, by this run or by another one.
  const { pairs, bystanders } = pairing;
  const declared = new Set([...pairs, ...bystanders].map(({ live }) => live));
  const deleted = new Set(
    changes.flatMap(({ change, live }) => (change.type === 'delete' && live ? live.id : [])),
  );
  const places = new Map<Address, { readonly key: Key; readonly at: Span }>();
  const note = (address: Address, key: Key, at: Span) => {
    if (meant.get(address) && !places.has(address)) places.set(address, { key, at });
  };
  for (const { kind: name, key, fields, at, spans } of run.kept) {
    note(addressOf(name, key), key, at);
    const kind = kinds.get(name);
    for (const ref of kind ? refsIn(kind.shape, fields) : [])
      note(addressOf(ref.kind, ref.key as Key), ref.key as Key, spans[pointer(ref.path)] ?? at);
  }
  return [...kinds.values()].flatMap(kind =>
    [...places].flatMap(([address, { key, at }]): Diagnostic[] => {
      const id = meant.get(address);
      if (!id || addressOf(kind.name, key) !== address) return [];
      const all = namesakesOf(kind, key, snapshot.objects, context.naming);
      const others = all
        .filter(live => live.id !== id && !declared.has(live) && !deleted.has(live.id))
        // An object that another folder declares under another name is reported where its current name belongs to something else.
        .filter(live => !kind.unique || declaredBy(live)?.id !== live.id)
        .map(live => quoted(idKey(live.id)));
      if (others.length === 0) return [];
      return [
        {
          code: 'OBJECT_NAMESAKE',
          severity: 'warning',
          message: `${address} is ${quoted(idKey(id))}, which the files meant before; the account has other ${kind.plural} called ${quoted(key)}: ${others.sort().join(', ')}`,
          at,
          // An object that is not a machine keeps the access that it grants.
          hint: kind.verbs.has('create')
            ? 'no file declares them, and they stay as they are: delete them in the account if they are copies, or rename them'
            : 'they get no access through this name; rename them in the account',
        },
      ];
    }),
  );
}
