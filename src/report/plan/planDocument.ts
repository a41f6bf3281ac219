// A plan as a JSON document that can be printed, saved and read again. It uses the names of OpenTofu, and has meshform's own
// parts under `meshform`.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { FieldChange, ShownChange } from '../../model/change.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { Address } from '../../model/names.ts';
import type { Action, Pin, Plan, PlanEndings, ShownEnding } from '../../model/plan.ts';
import type { Shown, ShownFields } from '../../model/secrets/shown.ts';
import type { Json, JsonObject } from '../../model/value.ts';
import { countChanges } from '../text/summary.ts';
import { sensitiveParts, withoutSecrets } from '../text/values.ts';
import { type PlanDigests, planDigests } from './planDigest.ts';
import { storedGates } from './storedGates.ts';
import { withNumbers, type YamlPositions, yamlPositions } from './yamlPositions.ts';

/** The minor version grows when fields are added, the major version when readers would break. */
export const FORMAT_VERSION = '2.0';

/** How a plan becomes a document. */
export interface DocumentOptions {
  /** Whether the changes are reported as drift instead of being proposed. */
  readonly drift?: boolean;
}

/** The plan as a document. Only if the plan has `madeAt`, the document has a digest and can be applied. */
export function planDocument(
  plan: Plan,
  kinds: KindTable,
  { drift = false }: DocumentOptions = {},
): JsonObject {
  // Drift is only reported and never applied, so there is nothing to approve.
  return drift ? undigested(plan, kinds, drift) : digestedPlan(plan, kinds).document;
}

/** The plan as a document, and the digests of that document. */
export function digestedPlan(
  plan: Plan,
  kinds: KindTable,
): PlanDigests & { readonly document: JsonObject } {
  const document = undigested(plan, kinds, false);
  const digests = planDigests(document);
  const ours = {
    ...(plan.madeAt !== undefined && { digest: digests.digest }),
    content_digest: digests.contentDigest,
    ...document.meshform,
  };
  return { ...digests, document: { ...document, meshform: ours } };
}

function undigested(plan: Plan, kinds: KindTable, drift: boolean) {
  const entries = plan.changes.map(change => resourceChange(kinds.get(change.kind), change, drift));
  const errored = hasErrors(plan.diagnostics);
  return {
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
}

const ACTIONS: Readonly<Record<ShownChange['type'], readonly string[]>> = {
  create: ['create'],
  update: ['update'],
  replace: ['delete', 'create'],
  delete: ['delete'],
};

// The type of a change as seen from the account. For example, if the files would create an object, somebody deleted it in the
// account.
function seenFromAccount(type: ShownChange['type']): ShownChange['type'] {
  if (type === 'create') return 'delete';
  return type === 'delete' ? 'create' : 'update';
}

function resourceChange(kind: Kind | undefined, change: ShownChange, drift: boolean): JsonObject {
  const before = shown(kind, change.before);
  const after = shown(kind, change.after);
  const declared = after;
  const live = before;
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
  fields: ShownFields | undefined,
): { value: Json; sensitive: Json } {
  if (!fields) return { value: null, sensitive: false };
  return {
    value: withoutSecrets(kind?.shape, fields),
    sensitive: sensitiveParts(kind?.shape, fields),
  };
}

// Everything that `show` and `apply` need to restore the plan.
function storedPlan(plan: Plan): JsonObject {
  const { dialect, account, server, revision, folder, pins, requests, diagnostics } = plan;
  const { declared, unselected, base, madeAt, called, layers } = plan;
  const positions = new Map(plan.changes.map(change => [change.address, yamlPositions(change)]));
  const positionsOf = (address: Address): YamlPositions => positions.get(address) ?? [];
  return {
    dialect,
    ...(madeAt && { made_at: madeAt }),
    ...(account && { account }),
    ...(server && { server }),
    ...(revision && { revision }),
    ...(base && { base: plain(base) }),
    folder,
    ...(layers && { layers }),
    declared,
    ...(unselected && { unselected }),
    ...(called && { called: called.map(plain) }),
    requests: { ...requests },
    changes: plan.changes.map(change => storedChange(change, positionsOf(change.address))),
    origins: origins(plan.changes),
    ...secretSources(positions),
    order: plan.actions.map(({ id }) => id),
    actions: plan.actions.map(action => storedAction(action, positionsOf(action.address))),
    left_alone: plan.leftAlone.map(({ ...object }) => object),
    pins: pins.map(storedPin),
    // Parts of a finding that depend on the command line are left out.
    diagnostics: diagnostics.map(({ except: _, named: __, ...found }) => plain(found)),
    ...(plan.countedRuns?.length && { counted_runs: plan.countedRuns }),
    ...(plan.loosened?.length && { loosened_guards: plan.loosened.map(plain) }),
    ...(plan.endings && { endings: storedEndings(plan.endings) }),
    ...(plan.formerEnds && { former_ends: plan.formerEnds.map(plain) }),
    ...(plan.judgedWith && { judged_with: plain(plan.judgedWith) }),
    ...storedAccess(plan),
    ...plain(storedGates(plan.gates)),
  };
}

function storedEndings({ clock, overdue, expiring, next, last, alone }: PlanEndings): JsonObject {
  const stored = ({ at: _, ...ending }: ShownEnding): JsonObject => plain(ending);
  return {
    clock,
    overdue: overdue.map(stored),
    ...(expiring && { expiring: expiring.map(stored) }),
    ...(next && { next: stored(next) }),
    ...(last && { last: stored(last) }),
    ...(alone && {
      alone: {
        actions: alone.actions.map(action => storedAction(action, [])),
        pins: alone.pins.map(storedPin),
      },
    }),
  };
}

const storedPin = ({ serverFields, ...pin }: Pin): JsonObject => ({
  ...pin,
  ...(serverFields && { server_fields: serverFields }),
});

function storedAccess({ access }: Plan): JsonObject {
  if (access === undefined) return {};
  const { changes, gains, steps, ...summary } = access;
  return {
    access: plain(summary),
    access_changes: changes.map(plain),
    access_gains: gains.map(plain),
    access_steps: steps.map(plain),
  };
}

function storedChange(
  { at: _, before, after, fields, partOf, ...change }: ShownChange,
  positions: YamlPositions,
): JsonObject {
  return plain({
    ...change,
    ...(partOf && { part_of: partOf }),
    ...(before && { before }),
    ...(after && { after: withNumbers(after, positions) }),
    fields: fields.map(({ byDefault, ...field }: FieldChange<Shown>) =>
      withNumbers(plain({ ...field, ...(byDefault && { by_default: true }) }), positions),
    ),
  });
}

// The places of declarations, which are needed only for messages.
function origins(changes: readonly ShownChange[]): JsonObject {
  return Object.fromEntries(
    changes.flatMap(({ address, at }) => (at ? [[address, plain(at)] as const] : [])),
  );
}

// The positions of secrets in files. An apply reads secrets from these positions, so the digest covers them. They are stored
// separately from the changes, because they change even if declarations only move.
function secretSources(positions: ReadonlyMap<Address, YamlPositions>): JsonObject {
  const sources = [...positions].filter(([, found]) => found.length > 0);
  return sources.length > 0 ? { secret_sources: Object.fromEntries(sources) } : {};
}

function storedAction(action: Action, positions: YamlPositions): JsonObject {
  const { partOf, ...own } = action;
  const added = {
    ...(partOf && { part_of: partOf }),
    ...(own.verb === 'delete' ? {} : { fields: withNumbers(own.fields, positions) }),
  };
  if (own.verb === 'create') return plain({ ...own, ...added });
  const { remoteId, parentId, ...rest } = own;
  return plain({
    ...rest,
    ...added,
    remote_id: remoteId,
    ...(parentId && { parent_id: parentId }),
  });
}

// The type checker does not accept interfaces as index signatures; the values are plain JSON.
const plain = (value: object): JsonObject => value as JsonObject;
