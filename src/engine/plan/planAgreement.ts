// Checks whether a plan shows what it does. People approve the changes, but a run carries out the
// actions.
import isEqual from 'fast-deep-equal';
import { namingFields } from '../../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { Change, FieldChange } from '../../model/change.ts';
import { addressOf } from '../../model/key.ts';
import type { Action, Plan, RestoredSet, UpdateAction } from '../../model/plan.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import { stableText } from '../../model/text/stableText.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Json } from '../../model/value.ts';
import { diffFields } from '../diff/diff.ts';
import { temporaryName } from '../pairing/temporaryName.ts';

const VERBS: Readonly<Record<Change['type'], readonly Action['verb'][]>> = {
  create: ['create'],
  update: ['update'],
  replace: ['create', 'delete'],
  delete: ['delete'],
};

/** The contradiction between changes and actions, as a clause; null if they agree. */
export function disagreement({ changes, actions }: Plan, kinds: KindTable): string | null {
  const actionsOf = Map.groupBy(actions, ({ address }) => address);
  const shown = new Map(changes.map(change => [change.address, change]));
  if (shown.size < changes.length) return 'it shows an object twice';
  const hidden = actions.find(({ address }) => !shown.has(address));
  if (hidden) return `it does not show ${quoted(hidden.id)}`;
  for (const change of changes) {
    const kind = kinds.get(change.kind);
    const own = actionsOf.get(change.address) ?? [];
    if (kind && !agrees(change, own, { kind, shown }))
      return `what it shows of ${quoted(change.address)} differs from what it does`;
  }
  return null;
}

interface Looking {
  readonly kind: Kind;
  readonly shown: ReadonlyMap<string, Change>;
}

function agrees(change: Change, actions: readonly Action[], { kind, shown }: Looking): boolean {
  const { address, kind: name, key, type, with: parent, id } = change;
  if (address !== addressOf(name, key)) return false;
  if (parent !== undefined) return actions.length === 0 && shown.get(parent)?.type === 'delete';
  const verbs = new Set(actions.map(({ verb }) => verb));
  if (!isEqual([...verbs].sort(), VERBS[type])) return false;
  if (actions.some(({ partOf }) => partOf !== change.partOf)) return false;
  return (
    isEqual(inOrder(differences(kind, change)), inOrder(change.fields.flatMap(valuesOf))) &&
    actions.every(action => {
      if (action.verb === 'create') return isEqual(action.fields, change.after ?? {});
      return (
        action.remoteId === id &&
        (action.verb === 'delete' || isShown(action, change, { kind, shown }))
      );
    })
  );
}

// Whether every written field is shown, and every shown difference is written.
function isShown(
  action: UpdateAction,
  { after = {}, fields, renews }: Change,
  { kind, shown }: Looking,
): boolean {
  const isRename = action.id.startsWith('rename ');
  const [named = ''] = namingFields(kind);
  const expected = isRename ? { [named]: temporaryName(String(after[named])) } : after;
  if (!Object.entries(action.fields).every(([name, value]) => isEqual(value, expected[name])))
    return false;
  if (!(action.restores ?? []).every(restored => isRestored(restored, shown))) return false;
  if (isRename) return isEqual(Object.keys(action.fields), [named]);
  if (!isEqual(action.renews, renews)) return false;
  const written = new Set([...Object.keys(action.fields), ...Object.keys(action.members)]);
  return (
    fields.every(({ path: [name = ''] }) => written.has(name) || after[name] === undefined) &&
    Object.entries(action.members).every(([name, members]) => {
      const found = fields.find(({ path }) => path[0] === name);
      const { added, removed } = found?.type === 'members' ? found : { added: [], removed: [] };
      return isEqual([members.add, members.remove], [added, removed]);
    })
  );
}

// Whether a set is restored to exactly the members with which the plan creates it.
function isRestored({ kind, key, field, members }: RestoredSet, shown: Looking['shown']): boolean {
  const { type, after = {} } = shown.get(addressOf(kind, key)) ?? {};
  return type === 'create' && isEqual(after[field], members);
}

// The differences in a fixed order. A program that copies a plan may change the order of its keys.
const inOrder = (differences: readonly Difference[]): string[] =>
  differences.map(difference => stableText(difference)).sort();

/** A difference without its annotations. */
type Difference = readonly Json[];

// The differences between the two sides of a change in the plan. Secrets cannot be compared, so
// they are left out on both sides.
function differences(kind: Kind, { type, before, after = {} }: Change): Difference[] {
  if (type === 'delete') return [];
  if (type === 'create')
    return Object.entries(after).flatMap(([name, value]) =>
      valuesOf({ type: 'value', path: [name], after: value }),
    );
  const shared = [...kind.shape.fields.values()].filter(field => field.shared);
  const exact = new Set(shared.map(({ name }) => name));
  const options = { written: {}, ignore: new Set<string>(), exact, base: {} };
  return diffFields(kind.shape, after, before ?? {}, options).flatMap(valuesOf);
}

function valuesOf(change: FieldChange): Difference[] {
  const { path } = change;
  if (change.type === 'members') return [[path, change.added, change.removed]];
  const { before = null, after = null } = change;
  const isUnknown = secretsIn(before).length > 0 && after !== null;
  return isUnknown || secretsIn(after).length > 0 ? [] : [[path, before, after]];
}
