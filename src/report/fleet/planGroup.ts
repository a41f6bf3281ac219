// Decides which plans of a fleet do the same. Two plans are alike if they write the same, and if everything that a person reads
// before approving them is the same. Only the name of the account and the ids of its objects may differ.
import { createHash } from 'node:crypto';
import type { KindTable } from '../../kinds/kind.ts';
import type {
  AccessChangeEntry,
  AccessGain,
  AccessGrant,
  AccessOrder,
  AccessStepEntry,
  PlanAccess,
} from '../../model/access/planAccess.ts';
import type { FieldChange, ShownChange } from '../../model/change.ts';
import type { Plan, PlanEndings, ShownAction, ShownEnding } from '../../model/plan.ts';
import type { Shown } from '../../model/secrets/shown.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { stableText } from '../../model/text/stableText.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { type Neutral, neutralFor } from './neutralText.ts';

/** The group of a plan: equal for plans that do the same, apart from ids and the name of the account. */
export function planGroup(
  plan: Plan,
  kinds: KindTable,
  account: { readonly name: string },
): string {
  const neutral = neutralFor(plan, kinds, account.name);
  return groupOf(contentOf(plan, kinds, neutral));
}

/** The digest of content, by which accounts with the same content are grouped. */
export const groupOf = (content: Json): string =>
  `sha256:${createHash('sha256').update(stableText(content)).digest('hex')}`;

/** The effects of a plan, without its sources, its time, and the objects that it does not touch. */
function contentOf(plan: Plan, kinds: KindTable, neutral: Neutral): JsonObject {
  const { dialect, changes, actions, diagnostics, access, gates, loosened, endings, base } = plan;
  const name = neutral.name;
  return {
    dialect,
    // The changes are sorted again, because their order depends on the name of the account if names begin with that name. The
    // order of execution is also in `after`.
    changes: sorted(changes.map(change => changeContent(change, kinds, neutral))),
    actions: sorted(actions.map(action => actionContent(action, kinds, neutral))),
    findings: sorted(
      diagnostics.map(({ code, severity, message }) => [code, severity, name(message)]),
    ),
    unpruned: sorted((base?.unpruned ?? []).map(name)),
    hasUnfinished: (plan.countedRuns ?? []).length > 0,
    loosened: (loosened ?? []).map(({ at: _, ...guard }: { readonly at?: unknown }) =>
      neutral.names(guard),
    ),
    ...(access && { access: accessContent(access, neutral) }),
    ...(gates && { gates: gatesContent(gates, neutral) }),
    ...(endings && { endings: endingsContent(endings, neutral) }),
  };
}

/** A change in the form in which it is compared with the changes of other accounts. */
export function changeContent(change: ShownChange, kinds: KindTable, neutral: Neutral): JsonObject {
  const { address, type, partOf, was, since, with: parent, notes, before, after, fields } = change;
  const shape = kinds.get(change.kind)?.shape;
  // The account may have more members of a shared set than the files. An update keeps them, so they are not included.
  const isWhole = type !== 'update';
  return {
    address: neutral.name(address),
    type,
    ...(partOf !== undefined && { partOf: neutral.name(partOf) }),
    ...(was !== undefined && { was: neutral.name(was) }),
    ...(since !== undefined && { since }),
    ...(parent !== undefined && { with: neutral.name(parent) }),
    notes: notes.map(neutral.name),
    ...(isWhole && before && { before: neutral.value(shape, before) }),
    ...(isWhole && after && { after: neutral.value(shape, after) }),
    fields: fields.map(field =>
      fieldContent(field, value => neutral.value(shape, value, field.path), neutral),
    ),
  };
}

function fieldContent(
  field: FieldChange<Shown>,
  content: (value: Json) => Json,
  { name }: Neutral,
): JsonObject {
  const { path, byDefault = false, replaces = false, since = null } = field;
  const same = { path: path.map(name), byDefault, replaces, since };
  if (field.type === 'value') {
    const { before, after } = field;
    return {
      ...same,
      ...(before !== undefined && { before: content(before) }),
      ...(after !== undefined && { after: content(after) }),
    };
  }
  const members = (list: readonly Json[]): Json => sorted(content(list) as readonly Json[]);
  const { added, removed, kept } = field;
  return { ...same, added: members(added), removed: members(removed), kept: members(kept) };
}

/** The texts of the members of a list, in an order that does not depend on their former positions. */
export const sorted = (list: readonly Json[]): Json => list.map(stableText).toSorted(compareTexts);

function actionContent(action: ShownAction, kinds: KindTable, neutral: Neutral): JsonObject {
  const { id, verb, address, parent, partOf, after, hazards, ended = false } = action;
  const { name } = neutral;
  const shape = kinds.get(action.kind)?.shape;
  return {
    id: name(id),
    verb,
    address: name(address),
    ...(parent !== undefined && { parent: name(parent) }),
    ...(partOf !== undefined && { partOf: name(partOf) }),
    after: after.map(name).toSorted(compareTexts),
    hazards: hazards.map(({ code, message, allowed }) => [code, name(message), allowed]),
    ended,
    ...(action.verb !== 'delete' && { fields: neutral.value(shape, action.fields) }),
    ...(action.verb === 'delete' && {
      children: action.precondition.children.map(({ kind, objects }) => [kind, objects.length]),
    }),
    ...(action.verb === 'update' && {
      members: Object.fromEntries(
        Object.entries(action.members).map(([field, { add, remove, keep }]) => [
          field,
          [add, remove, keep].map(list => list.map(name).toSorted(compareTexts)),
        ]),
      ),
      renews: action.renews === undefined ? null : neutral.names(action.renews),
      restores: neutral.names(action.restores ?? []),
    }),
  };
}

// The access changes of a plan without machines and their numbers, which differ between accounts. The parties and the access
// themselves are included, as a person reads them.
function accessContent(access: PlanAccess, neutral: Neutral): JsonObject {
  const { status, changes, gains, rights, steps, order, unread, no_effect } = access;
  return {
    // An account counts as new until it has an object besides the built-in ones, even an object that the plan does not touch. The
    // plan of a new account has no order of steps.
    status: status === 'new-account' ? 'unchanged' : status,
    changes: sorted(changes.map(change => entryContent(change, neutral))),
    gains: sorted(gains.map(gain => gainContent(gain, neutral))),
    rights: sorted((rights ?? []).map(neutral.names)),
    steps: sorted(steps.map(step => stepContent(step, neutral))),
    order: neutral.names(order && isOutOfBounds(order) ? order : null),
    unread: unread.map(neutral.name),
    idle: sorted((no_effect ?? []).map(neutral.names)),
  };
}

const isOutOfBounds = ({ status, left_out, given_up }: AccessOrder): boolean =>
  status !== 'in_bounds' || left_out > 0 || given_up.length > 0;

function entryContent(entry: AccessChangeEntry, neutral: Neutral): JsonObject {
  const { machines, members_to_come, via, posture, posture_before, posture_after, ...said } = entry;
  const { from, to, address, causes, to_machines: _, to_members_to_come: __, ...rest } = said;
  const checks = [posture, posture_before, posture_after].map(one => one?.checks ?? null);
  return {
    ...(rest as unknown as JsonObject),
    parties: [from, to, address ?? ''].map(neutral.name),
    causes: sorted(causes.map(neutral.name)),
    joined: [machines.length > 0, members_to_come.length > 0],
    via: sorted(via.map(grant => grantContent(grant, neutral))),
    checks: neutral.names(checks),
  };
}

const grantContent = ({ through, ...grant }: AccessGrant, neutral: Neutral): Json =>
  neutral.names([grant, through !== undefined]);

function gainContent(
  { from, to, address, to_groups, causes, ...gain }: AccessGain,
  neutral: Neutral,
) {
  return {
    ...(gain as unknown as JsonObject),
    parties: [from, to, address ?? ''].map(neutral.name),
    groups: sorted(to_groups.map(neutral.name)),
    causes: sorted(causes.map(neutral.name)),
  };
}

function stepContent(step: AccessStepEntry, neutral: Neutral): JsonObject {
  const { code, from, to, address, ports, from_action, until_action } = step;
  return {
    code,
    parties: [from, to, address ?? ''].map(neutral.name),
    ports,
    actions: [from_action, until_action].map(neutral.name),
  };
}

// The gates without the places of tests and guards in files. These places differ between layers, and do not affect what the gates
// require.
function gatesContent({ tests, guards, findings }: NonNullable<Plan['gates']>, neutral: Neutral) {
  const unplaced = (value: unknown): Json => neutral.names(withoutPlaces(value as Json));
  return {
    tests: unplaced(tests ?? null),
    guards: unplaced(guards ?? null),
    findings: findings.map(({ pairs: _, ...finding }) => neutral.names(finding)),
  };
}

function withoutPlaces(value: Json): Json {
  if (isList(value)) return value.map(withoutPlaces);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([name, part]) => name !== 'at' && part !== undefined,
  );
  return Object.fromEntries(entries.map(([name, part]) => [name, withoutPlaces(part)]));
}

function endingsContent({ overdue, expiring, next, last }: PlanEndings, neutral: Neutral) {
  const content = ({ at: _, ...ending }: ShownEnding): Json => neutral.names(ending);
  return {
    overdue: overdue.map(content),
    expiring: (expiring ?? []).map(content),
    next: next ? content(next) : null,
    last: last ? content(last) : null,
  };
}
