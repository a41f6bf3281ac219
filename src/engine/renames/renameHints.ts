// Rename detection: finds new objects that look like a deleted or undeclared object. The plan only
// shows a hint; without `lifecycle.was`, nothing is renamed.
import { identityName } from '../../kinds/identity/identity.ts';
import { wholeName } from '../../kinds/identity/parts.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Desired, Live } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import { nameInYaml } from '../../model/text/yamlText.ts';
import { withNotes } from '../diff/changes.ts';
import { parentKey } from '../pairing/naming.ts';
import { isPart } from '../scope/parts.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';
import { formerBinding } from './bindingHints.ts';
import type { Fact } from './facts.ts';
import { type OldObject, type Similarity, similarObjects } from './similarity.ts';

/** A new object, and the live object that may be the same object under its former name. */
export interface RenameHint {
  readonly created: ObjectChange;
  readonly desired: Desired;
  readonly live: Live;
  readonly note: string;
}

/** The hints of a plan: at most one for each new object, and at most one for each old object. */
export function renameHints(
  objects: readonly ObjectChange[],
  account: { readonly live: readonly Live[]; readonly unpaired: readonly Live[] },
  context: PlanContext,
): RenameHint[] {
  const olds = oldObjects(objects, account.unpaired);
  const found = similarObjects(objects, olds, account.live, context);
  const hints = mutualBest(found).flatMap(one => hintOf(one, context) ?? []);
  return hints.filter(hint => !isWithParent(hint, hints, context));
}

/** The objects that may have been renamed: objects that the plan deletes, and objects that no file declares. */
export function oldObjects(
  objects: readonly ObjectChange[],
  unpaired: readonly Live[],
): readonly OldObject[] {
  const deleted = objects.flatMap(({ change, live, desired }): OldObject[] =>
    change.type === 'delete' && live
      ? [{ live, isDeleted: true, isDeclared: desired !== undefined }]
      : [],
  );
  const going = new Set(deleted.map(({ live }) => live));
  const left = unpaired
    .filter(live => live.reserved === undefined && !going.has(live))
    .map((live): OldObject => ({ live, isDeleted: false, isDeclared: false }));
  return [...deleted, ...left];
}

/** The changes with their hints. */
export function withHints(
  objects: readonly ObjectChange[],
  hints: readonly RenameHint[],
): ObjectChange[] {
  const notes = new Map(hints.map(({ created, note }) => [created.change.address, note]));
  return objects.map(object => {
    const note = notes.get(object.change.address);
    return note === undefined || object.change.type !== 'create' ? object : withNotes(object, note);
  });
}

// Pairs in which each object is the most similar one to the other. If two candidates are equally similar, the change may be a
// split or a merge, so there is no hint.
function mutualBest(found: readonly Similarity[]): Similarity[] {
  const score = ({ common }: Similarity): number =>
    common.length + (common.some(({ about }) => about === 'name') ? common.length : 0);
  const best = (all: readonly Similarity[] = []): Similarity | undefined => {
    const [first, second] = [...all].sort((a, b) => score(b) - score(a));
    return first && second && score(first) === score(second) ? undefined : first;
  };
  const byNew = Map.groupBy(found, ({ created }) => created);
  const byOld = Map.groupBy(found, ({ old }) => old);
  return found.filter(
    one => best(byNew.get(one.created)) === one && best(byOld.get(one.old)) === one,
  );
}

function hintOf({ old, created, common }: Similarity, context: PlanContext): RenameHint | null {
  const { live, isDeleted, isDeclared } = old;
  const { desired } = created;
  const kind = context.kind(live.kind);
  const binding = isPart(desired)
    ? formerWhole(kind, live, desired, context)
    : formerNameOf(kind, live, desired, context);
  if (binding === null) return null;
  const also = isDeclared ? ', and remove its own entry' : '';
  const fate = isDeleted ? 'is deleted' : 'is not declared';
  const what = `${context.addressOf(live)} ${fate} and looks like this object`;
  const note = `renamed? add ${quoted(binding)}, as in ${quoted(`lifecycle: { ${binding} }`)}${also}: ${what} (${evidence(common)})`;
  return { created, desired, live, note };
}

// The entry that binds a declared object to the live object. With the same parent, it is `was` with
// the name alone; otherwise, it is `parent/name` or an id.
function formerNameOf(kind: Kind, live: Live, { parent }: Desired, context: PlanContext): string {
  const name = identityName(kind, context.fieldsOf(live));
  const isBeside = parentKey(kind, live, context.naming) === parent;
  return isBeside && name !== null ? `was: ${nameInYaml(name)}` : formerBinding(live, context);
}

// The former name of the whole object; null if the whole keeps its name and only an item was renamed.
function formerWhole(
  kind: Kind,
  live: Live,
  { part }: Desired,
  { fieldsOf }: PlanContext,
): string | null {
  const { parts } = kind;
  const name = identityName(kind, fieldsOf(live));
  const former = parts && part && name !== null ? wholeName(parts, name, part.item) : undefined;
  return former === undefined || former === part?.whole ? null : `was: ${nameInYaml(former)}`;
}

/** The maximum number of hints. */
const FEW = 3;

function evidence(common: readonly Fact[]): string {
  const inside = common.filter(({ about }) => about !== 'pointer');
  const named = Map.groupBy(inside, ({ about, name }) => `${about} ${name}`);
  const parts = [...named.values()].map(facts => {
    const [{ about, name } = { about: 'value', name: '' }] = facts;
    if (about === 'child') return `${facts.length} of the same ${name}`;
    return about === 'member'
      ? `${quoted(name)}: ${facts.length} in common`
      : `the same ${quoted(name)}`;
  });
  const pointing = [
    ...new Set(common.filter(({ about }) => about === 'pointer').map(({ name }) => name)),
  ].sort();
  const some = pointing.slice(0, FEW).map(address => `${address} now refers to this object`);
  const more =
    pointing.length > FEW ? [`${pointing.length - FEW} more now refer to this object`] : [];
  return [...parts, ...some, ...more].join('; ');
}

// Whether the parent was renamed too. A child of a renamed object needs no hint.
function isWithParent(
  { live, desired }: RenameHint,
  hints: readonly RenameHint[],
  context: PlanContext,
): boolean {
  const { parent } = context.kind(live.kind);
  return hints.some(
    other =>
      other.desired.kind === parent &&
      other.live.id === live.parentId &&
      other.desired.key === desired.parent,
  );
}
