// Declared objects that a plan would create although the account has them under another name, which
// another folder declares. Two folders share the object, but only one of them uses its new name.
import { formerKeys } from '../../kinds/identity/formerKeys.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { placeText } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, RemoteId } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import { quoted } from '../../model/text/visible.ts';
import type { DraftPlan } from './draftPlan.ts';

/** The errors for objects that only one of two folders has renamed. */
export function renamedElsewhere(plan: DraftPlan): readonly Diagnostic[] {
  const { others = [] } = plan.input;
  if (others.length === 0 || plan.pairing.creates.length === 0) return [];
  return plan.pairing.creates.flatMap(
    desired => oldName(desired, plan) ?? newName(desired, plan) ?? [],
  );
}

// The finding if the other folder declares the new name of the object.
function oldName(
  desired: Desired,
  { input: { snapshot, others = [], recordedIds }, declaredBy, context }: DraftPlan,
): Diagnostic | undefined {
  const address = addressOf(desired.kind, desired.key);
  const ids = [recordedIds?.get(address) ?? [], others.flatMap(one => idsOf(one, address))].flat();
  const found = snapshot.objects.find(
    one => one.kind === desired.kind && one.reserved === undefined && ids.includes(one.id),
  );
  const owner = found && declaredBy(found);
  if (!found || !owner || owner.key === desired.key) return undefined;
  const now = addressOf(found.kind, owner.key);
  const place = placeIn(now, owner.name, others);
  return {
    code: 'OBJECT_DUPLICATE',
    severity: 'error',
    at: desired.at,
    message: `${address} is called ${quoted(context.keyOf(found))} in the account, and ${quoted(owner.name)} declares it as ${now} ${place}`,
    hint: `use one name in all folders that declare it: rename it here, or in ${quoted(owner.name)}`,
  };
}

// The finding if the other folder will give the object the name that this folder already declares.
function newName(
  desired: Desired,
  { input: { snapshot, others = [], kinds }, context }: DraftPlan,
): Diagnostic | undefined {
  const address = addressOf(desired.kind, desired.key);
  const kind = kinds.get(desired.kind);
  for (const { name, files } of others)
    for (const object of files) {
      const { was } = object.lifecycle;
      if (!kind || was === undefined || addressOf(object.kind, object.key) !== address) continue;
      const former = new Set(formerKeys(kind, object.parent, was));
      const isFormer = (live: Live) => live.kind === kind.name && former.has(context.keyOf(live));
      const found = snapshot.objects.find(isFormer);
      if (found)
        return {
          code: 'OBJECT_DUPLICATE',
          severity: 'error',
          at: desired.at,
          message: `${address} is the new name of ${context.addressOf(found)}, which ${quoted(name)} renames at ${placeText(object.at)}`,
          hint: `apply ${quoted(name)} first`,
        };
    }
  return undefined;
}

const idsOf = ({ ids = [] }: OtherFolder, address: Address): readonly RemoteId[] =>
  ids.flatMap(({ kind, key, id }) => (addressOf(kind, key) === address ? id : []));

function placeIn(address: Address, folder: string, others: readonly OtherFolder[]): string {
  const [found] = others
    .filter(({ name }) => name === folder)
    .flatMap(({ files }) => files.filter(one => addressOf(one.kind, one.key) === address));
  return found ? `at ${placeText(found.at)}` : 'in its base';
}
