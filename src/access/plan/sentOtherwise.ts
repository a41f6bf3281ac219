// Declared secrets that a plan sends to the same target as before, but in a way that reveals them
// to others. The proxy may now call the target in its own network instead of the overlay, or
// somebody between the proxy and the target may read the request. The kind declares the fields that
// determine this.
import type { Field, KindTable, SentHow } from '../../kinds/kind.ts';
import { valueAt } from '../../kinds/values/items.ts';
import { pathText } from '../../kinds/values/pathText.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import type { RightEntry } from '../../model/access/planAccess.ts';
import type { Plan } from '../../model/plan.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { type Fields, isObject } from '../../model/value.ts';
import { sentIn } from './sentElsewhere.ts';

/** The rights to secrets that are sent in a less protected way than before. */
export function sentOtherwise(
  kinds: KindTable,
  { changes, actions }: Pick<Plan, 'changes' | 'actions'>,
): readonly RightEntry[] {
  const written = new Map(
    actions.flatMap(one => (one.verb === 'delete' ? [] : [[one.address, one.fields] as const])),
  );
  return changes.flatMap(({ kind: name, address, before, after }) => {
    const kind = kinds.get(name);
    const fields = written.get(address);
    if (kind === undefined || fields === undefined) return [];
    const { shape } = kind;
    return sentIn(kind, fields)
      .filter(({ isPlain, isShown }) => !(isPlain && isShown))
      .flatMap(({ path, to, field }) => {
        // The fields that contain the destination are next to the options that contain the secret.
        const at = to[0]?.slice(0, -1) ?? [];
        const [was, is] = [before, after].map(side => valueAt(shape, side, at));
        // A new target is a new recipient, which `sentElsewhere.ts` reports.
        if (!isObject(was) || !isObject(is)) return [];
        const refs = to.flatMap(one => {
          const own = shapeAt(shape, one);
          return own ? refsIn(own, valueAt(shape, after, one)) : [];
        });
        const target = refs.map(ref => nameText(`${ref.kind}/${ref.key}`))[0] ?? 'the target';
        return otherWays(waysIn(field, was), waysIn(field, is), target).map(
          (says): RightEntry => ({
            object: address,
            right: 'secret',
            message: `${quoted(pathText(shape, path))} is sent ${says}`,
          }),
        );
      });
  });
}

function otherWays(was: Ways, is: Ways, target: string): readonly string[] {
  const says: string[] = [];
  if (is.has('direct') && !was.has('direct'))
    says.push(`to the address of ${target} in the network of the proxy, not over the overlay`);
  if (!is.has('direct') && was.has('direct'))
    says.push(`to ${target} over the overlay, not in the network of the proxy`);
  // If the connection was not encrypted before, its certificate was not checked either.
  if (!was.has('encrypted')) return says;
  if (!is.has('encrypted')) says.push(`to ${target} without encryption`);
  else if (is.has('unchecked') && !was.has('unchecked'))
    says.push(`to ${target} without a check of its certificate`);
  return says;
}

type Ways = ReadonlySet<keyof SentHow>;

/** How an object says that the secrets in one of its fields are sent. */
function waysIn({ name, sentHow = {} }: Field, object: Fields): Ways {
  const inner = object[name];
  const flags: Fields = isObject(inner) ? inner : {};
  const { encrypted, direct, unchecked } = sentHow;
  const ways: readonly (keyof SentHow | false)[] = [
    encrypted !== undefined && object[encrypted] === 'https' && 'encrypted',
    direct !== undefined && flags[direct] === true && 'direct',
    unchecked !== undefined && flags[unchecked] === true && 'unchecked',
  ];
  return new Set(ways.filter(way => way !== false));
}
