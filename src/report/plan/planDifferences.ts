// The differences between two saved plans that their files cause. Other differences do not count: the plan of a branch and the
// plan of the same change after its merge also differ because others have merged something or changed the account in the
// meantime, and each plan corrects that too.
import { type AccessGain, rightText } from '../../model/access/planAccess.ts';
import type { ShownChange } from '../../model/change.ts';
import { loosenedText } from '../../model/guards.ts';
import type { Address } from '../../model/names.ts';
import type { ShownAction } from '../../model/plan.ts';
import { stableText } from '../../model/text/stableText.ts';
import { quoted, visible } from '../../model/text/visible.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import type { SavedPlan } from './savedPlan.ts';

/** An effect of one plan that the other plan lacks, or has with other values. */
export interface PlanDifference {
  /** The object of an action; absent for a difference in access, which concerns several objects. */
  readonly address?: Address;
  readonly message: string;
}

/** A saved plan, and the name of its file. */
export interface NamedPlan {
  readonly saved: SavedPlan;
  readonly file: string;
}

/** Parts of an action that describe its order and its cost, not its effect. */
const COURSE: ReadonlySet<string> = new Set(['after', 'requests']);

const DONE: Readonly<Record<ShownAction['verb'], string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
};

/**
 * The effects in which a plan differs from an approved plan because of its files:
 * - actions, with the values that they send, expect and risk
 * - access and rights that only the newer plan grants
 * - guards that only the newer files loosen
 * Changes that only the account has made since the base of a plan are not compared. Without a base, everything is compared. Equal
 * actions also apply to equal objects, because the values that they expect are compared.
 */
export function planDifferences(approved: NamedPlan, now: NamedPlan): readonly PlanDifference[] {
  return [
    ...actionDifferences(approved, now),
    ...grantDifferences(approved, now),
    ...guardDifferences(approved, now),
  ];
}

/** The objects that the files of a plan change. */
const changedByFiles = ({ saved }: NamedPlan): ReadonlySet<string> =>
  new Set(saved.plan.changes.filter(isByFiles).map(({ address }) => address));

const isByFiles = ({ since, fields }: ShownChange): boolean =>
  since === undefined
    ? fields.length === 0 || fields.some(field => field.since !== 'drift')
    : since !== 'drift';

function actionDifferences(approved: NamedPlan, now: NamedPlan): readonly PlanDifference[] {
  const former = actionsByFiles(approved);
  const newer = actionsByFiles(now);
  const changed = [...newer].flatMap(([id, { action, stored }]) => {
    const { address, verb } = action;
    const was = former.get(id);
    const what = was ? differingParts(was.stored, stored) : [];
    if (what.length === 0) return [];
    return [
      {
        address,
        message: `${visible(address)} is ${DONE[verb]} with different ${what.join(', ')}`,
      },
    ];
  });
  return [...onlyIn(former, newer, approved.file), ...onlyIn(newer, former, now.file), ...changed];
}

interface StoredAction {
  readonly action: ShownAction;
  /** The action as the file contains it, without the positions of secrets. */
  readonly stored: JsonObject;
}

type StoredActions = ReadonlyMap<string, StoredAction>;

function onlyIn(one: StoredActions, other: StoredActions, file: string): readonly PlanDifference[] {
  return [...one]
    .filter(([id]) => !other.has(id))
    .map(
      ([
        ,
        {
          action: { address, verb },
        },
      ]) => ({
        address,
        message: `${visible(address)} is ${DONE[verb]} only by ${quoted(file)}`,
      }),
    );
}

/** The actions on objects that the files change, by their ids. */
function actionsByFiles(named: NamedPlan): StoredActions {
  const { plan, document } = named.saved;
  const { meshform } = document;
  const stored = isObject(meshform) && isList(meshform.actions) ? meshform.actions : [];
  const byId = new Map(stored.filter(isObject).map(action => [String(action.id), action]));
  const changed = changedByFiles(named);
  return new Map(
    plan.actions
      .filter(({ address }) => changed.has(address))
      .map(action => [action.id, { action, stored: byId.get(action.id) ?? {} }]),
  );
}

/** The names of what differs between two actions: fields with different written values, and parts of the actions. */
function differingParts(was: JsonObject, is: JsonObject): readonly string[] {
  const parts = differingNames(was, is).filter(name => !COURSE.has(name));
  const fields = [was.fields, is.fields].map(one => (isObject(one) ? one : {}));
  const [before = {}, after = {}] = fields;
  const written = differingNames(before, after).map(visible);
  return parts.flatMap(name => (name === 'fields' ? written : [PARTS[name] ?? visible(name)]));
}

/** The names of parts of an action for the reader. */
const PARTS: Readonly<Record<string, string>> = {
  precondition: 'values in the account',
  members: 'members',
  hazards: 'hazards',
  remote_id: 'ids in the account',
};

const differingNames = (one: JsonObject, other: JsonObject): readonly string[] =>
  Object.keys({ ...one, ...other }).filter(name => text(one[name]) !== text(other[name]));

const text = (value: Json | undefined): string => (value === undefined ? '' : stableText(value));

function grantDifferences(approved: NamedPlan, now: NamedPlan): readonly PlanDifference[] {
  const former = approved.saved.plan.access;
  const newer = now.saved.plan.access;
  const changed = changedByFiles(now);
  const gains = (newer?.gains ?? []).filter(({ causes }) => causes.some(one => changed.has(one)));
  const known = new Set((former?.rights ?? []).map(rightText));
  const rights = (newer?.rights ?? []).filter(({ object }) => changed.has(object));
  const given = rights.map(rightText).filter(one => !known.has(one));
  return [
    ...gains
      .filter(gain => !(former?.gains ?? []).some(one => includes(one, gain)))
      .map(gain => ({ message: `${gainText(gain)} only by ${quoted(now.file)}` })),
    ...given.map(one => ({ message: `${visible(one)} only by ${quoted(now.file)}` })),
  ];
}

// Guards that only the newer files loosen. Such a guard would protect nothing in the next change, although nobody has approved
// that.
function guardDifferences(approved: NamedPlan, now: NamedPlan): readonly PlanDifference[] {
  const former = approved.saved.plan.loosened ?? [];
  return (now.saved.plan.loosened ?? []).flatMap(guard => {
    const text = loosenedText(guard);
    const same = former.filter(one => loosenedText(one) === text);
    if (same.length === 0) return [{ message: `${text} only by ${quoted(now.file)}` }];
    const isTaken = guard.allowed_by !== undefined;
    return !isTaken || same.some(one => one.allowed_by !== undefined)
      ? []
      : [{ message: `${text}, and only ${quoted(now.file)} removes it with --allow` }];
  });
}

/** Whether one gain includes all access of another gain. */
const includes = (whole: AccessGain, part: AccessGain): boolean =>
  whole.from === part.from &&
  whole.to === part.to &&
  whole.address === part.address &&
  whole.protocol === part.protocol &&
  (whole.condition === part.condition || whole.condition === 'none') &&
  part.ports.every(range =>
    whole.ports.some(({ start, end }) => start <= range.start && range.end <= end),
  );

function gainText({ from, to, protocol, ports }: AccessGain): string {
  const shown = ports.map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`));
  const traffic = shown.length === 0 ? protocol : `${protocol}/${shown.join(',')}`;
  return `${visible(from)} gains ${traffic} to ${visible(to)}`;
}
