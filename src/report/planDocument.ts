// A plan as the JSON document that is printed, stored and read again: OpenTofu's names, ours under `meshform`.
import type { Kind, KindTable } from '../kinds/kind.ts';
import type { Change, FieldChange } from '../model/change.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Action, Plan } from '../model/plan.ts';
import type { Fields, Json, JsonObject } from '../model/value.ts';
import { planDigest } from './planDigest.ts';
import { countChanges } from './summary.ts';
import { sensitiveParts, withoutSecrets } from './values.ts';

/** Grows in its second part when fields are added, in its first when readers would break. */
export const FORMAT_VERSION = '1.1';

/** The plan as a document. `drift` says that its differences are reported, not proposed. */
export function planDocument(plan: Plan, kinds: KindTable, { drift = false } = {}): JsonObject {
  const entries = plan.changes.map(change => resourceChange(kinds.get(change.kind), change, drift));
  const errored = hasErrors(plan.diagnostics);
  const document = {
    format_version: FORMAT_VERSION,
    resource_changes: drift ? [] : entries,
    resource_drift: drift ? entries : [],
    errored,
    complete: !errored,
    applyable: !errored && !drift && plan.actions.length > 0,
    meshform: {
      summary: {
        ...countChanges(plan.changes),
        declared: plan.declared,
        left_alone: plan.leftAlone.length,
      },
      ...storedPlan(plan),
    },
  };
  // Drift is reported and never carried out: there is nothing to approve.
  if (drift) return document;
  const digest = planDigest(document);
  return { ...document, meshform: { digest, ...document.meshform } };
}

/** The digest of a plan, as its document carries it. */
export function planDigestOf(plan: Plan, kinds: KindTable): string {
  return planDigest(planDocument(plan, kinds));
}

const ACTIONS: Readonly<Record<Change['type'], readonly string[]>> = {
  create: ['create'],
  update: ['update'],
  replace: ['delete', 'create'],
  delete: ['delete'],
};

// What the files want created, somebody has deleted.
function seenFromAccount(type: Change['type']): Change['type'] {
  if (type === 'create') return 'delete';
  return type === 'delete' ? 'create' : 'update';
}

function resourceChange(kind: Kind | undefined, change: Change, drift: boolean): JsonObject {
  const [before, after] = [shown(kind, change.before), shown(kind, change.after)];
  const [declared, live] = [after, before];
  const sides = drift ? { before: declared, after: live } : { before, after };
  return {
    address: change.address,
    type: change.kind,
    name: change.key,
    change: {
      actions: ACTIONS[drift ? seenFromAccount(change.type) : change.type],
      before: sides.before.value,
      after: sides.after.value,
      after_unknown: {},
      before_sensitive: sides.before.sensitive,
      after_sensitive: sides.after.sensitive,
    },
  };
}

function shown(
  kind: Kind | undefined,
  fields: Fields | undefined,
): { value: Json; sensitive: Json } {
  if (!fields) return { value: null, sensitive: false };
  return {
    value: withoutSecrets(kind?.shape, fields),
    sensitive: sensitiveParts(kind?.shape, fields),
  };
}

// Everything that `show` and `apply` need to have the plan back.
function storedPlan(plan: Plan): JsonObject {
  const { dialect, account, server, revision, folder, pins, requests, diagnostics } = plan;
  const { declared, unselected, base } = plan;
  return {
    dialect,
    ...(account && { account }),
    ...(server && { server }),
    ...(revision && { revision }),
    ...(base && { base: { ...base } }),
    folder,
    declared,
    ...(unselected && { unselected }),
    requests,
    changes: plan.changes.map(storedChange),
    origins: origins(plan.changes),
    order: plan.actions.map(({ id }) => id),
    actions: plan.actions.map(storedAction),
    left_alone: plan.leftAlone.map(({ ...object }) => object),
    pins: pins.map(({ serverFields, ...pin }) => ({
      ...pin,
      ...(serverFields && { server_fields: serverFields }),
    })),
    diagnostics: diagnostics.map(plain),
    ...storedAccess(plan),
  };
}

function storedAccess({ access }: Plan): JsonObject {
  if (access === undefined) return {};
  const { changes, ...summary } = access;
  return { access: plain(summary), access_changes: changes.map(plain) };
}

function storedChange({ at: _, before, after, fields, ...change }: Change): JsonObject {
  return plain({
    ...change,
    ...(before && { before }),
    ...(after && { after }),
    fields: fields.map(({ byDefault, ...field }: FieldChange) => ({
      ...field,
      ...(byDefault && { by_default: true }),
    })),
  });
}

// Apart from all else: the one part of a plan that is another one when declarations only change places.
function origins(changes: readonly Change[]): JsonObject {
  const declared = changes.flatMap(({ address, at }) =>
    at ? [[address, plain(at)] as const] : [],
  );
  return Object.fromEntries(declared);
}

function storedAction(action: Action): JsonObject {
  if (action.verb === 'create') return plain({ ...action });
  const { remoteId, parentId, ...rest } = action;
  return plain({ ...rest, remote_id: remoteId, ...(parentId && { parent_id: parentId }) });
}

// Interfaces are not index signatures to the type checker; the values are plain JSON all the same.
const plain = (value: object): JsonObject => value as JsonObject;
