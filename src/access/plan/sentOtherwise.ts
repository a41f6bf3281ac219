// Declared secrets that a plan sends to the same target as before, but in a way that gives them to others: the proxy calls the target
// in its own network in place of the overlay, or whoever is between the proxy and the target can read what is sent.
import type { KindTable } from '../../kinds/kind.ts';
import { valueAt } from '../../kinds/values/items.ts';
import { pathText } from '../../kinds/values/pathText.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import type { RightEntry } from '../../model/access/planAccess.ts';
import type { Plan } from '../../model/plan.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { type Fields, isObject } from '../../model/value.ts';
import { SERVICE } from '../state/services.ts';
import { flagIn, textIn } from '../state/stateObject.ts';
import { sentIn } from './sentElsewhere.ts';

/** The rights to secrets of services that are called otherwise than before. */
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
    if (name !== SERVICE || kind === undefined || fields === undefined) return [];
    const { shape } = kind;
    return sentIn(kind, fields)
      .filter(({ isPlain, isShown }) => !(isPlain && isShown))
      .flatMap(({ path, to }) => {
        // The place is beside the options that contain the secret.
        const at = to[0]?.slice(0, -1) ?? [];
        const [was, is] = [before, after].map(side => valueAt(shape, side, at));
        // A new target is another place.
        if (!isObject(was) || !isObject(is)) return [];
        const refs = to.flatMap(one => {
          const own = shapeAt(shape, one);
          return own ? refsIn(own, valueAt(shape, after, one)) : [];
        });
        const target = refs.map(ref => nameText(`${ref.kind}/${ref.key}`))[0] ?? 'the target';
        return otherWays(was, is, target).map(
          (says): RightEntry => ({
            object: address,
            right: 'secret',
            message: `${quoted(pathText(shape, path))} is sent ${says}`,
          }),
        );
      });
  });
}

function otherWays(was: Fields, is: Fields, target: string): readonly string[] {
  const isDirect = (one: Fields) => flagIn(optionsIn(one), 'direct_upstream', false);
  const says: string[] = [];
  if (isDirect(is) && !isDirect(was))
    says.push(`to the address of ${target} in the network of the proxy, not over the overlay`);
  if (!isDirect(is) && isDirect(was))
    says.push(`to ${target} over the overlay, not in the network of the proxy`);
  // Without encryption, nothing was checked before either.
  if (!isEncrypted(was)) return says;
  if (!isEncrypted(is)) says.push(`to ${target} without encryption`);
  else if (isUnchecked(is) && !isUnchecked(was))
    says.push(`to ${target} without a check of its certificate`);
  return says;
}

const isEncrypted = (target: Fields): boolean => textIn(target, 'protocol') === 'https';

const isUnchecked = (target: Fields): boolean =>
  flagIn(optionsIn(target), 'skip_tls_verify', false);

const optionsIn = ({ options }: Fields): Fields => (isObject(options) ? options : {});
