// Plans written by hand, for what no planner would make on purpose.
import { type RunOptions, runPlan } from '../../src/apply/run/run.ts';
import { deleteScope, digest, updateScope } from '../../src/engine/diff/digest.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { present } from '../../src/model/errors.ts';
import { addressOf, idInKey } from '../../src/model/key.ts';
import {
  type Address,
  actionId,
  type Key,
  kindName,
  type RemoteId,
  remoteId,
} from '../../src/model/names.ts';
import type { Fault, Outcome } from '../../src/model/outcome.ts';
import type {
  Action,
  CreateAction,
  DeleteAction,
  Members,
  Pin,
  Plan,
  SeenChildren,
  ShownAction,
  UpdateAction,
} from '../../src/model/plan.ts';
import type { Fields, JsonObject } from '../../src/model/value.ts';
import { byId, decodeFields } from '../../src/wire/decode.ts';
import { KINDS } from '../support/files.ts';
import type { Memory } from './memory.ts';

/** What an action waits for, writes besides its own object, is to nest in by name, and nests in by id. */
export interface More {
  readonly after?: readonly Action[];
  readonly writes?: readonly Address[];
  readonly parent?: string;
  readonly parentId?: RemoteId;
  /** Of a create, the live objects of its identity that the plan saw. */
  readonly except?: readonly RemoteId[];
  /** Of a delete, what the plan saw inside. */
  readonly children?: readonly SeenChildren[];
}

export const kindOf = (name: string): Kind => present(KINDS.get(kindName(name)), `kind ${name}`);

function base(verb: Action['verb'], kind: string, key: string, more: More) {
  const address = addressOf(kindName(kind), key as Key);
  return {
    id: actionId(`${verb} ${address}`),
    address,
    kind: kindName(kind),
    key: key as Key,
    after: (more.after ?? []).map(({ id }) => id),
    writes: [address, ...(more.writes ?? [])],
    hazards: [],
    requests: 1,
    ...(more.parent !== undefined && { parent: more.parent as Key }),
  };
}

export function createOf(kind: string, key: string, fields: Fields, more: More = {}): CreateAction {
  const precondition = { type: 'absent', except: more.except ?? [] } as const;
  return { ...base('create', kind, key, more), verb: 'create', fields, precondition };
}

/** An update of the object that reads `seen`. Keys of members are ids in front of which `id:` stands, or pinned. */
export function updateOf(
  kind: string,
  key: string,
  seen: JsonObject,
  fields: Fields,
  { members = {}, ...more }: More & { members?: Readonly<Record<string, Members>> } = {},
): UpdateAction {
  const idOf = (_: string, name: string) => idInKey(name) ?? remoteId(name);
  const shape = kindOf(kind);
  return {
    ...base('update', kind, key, more),
    verb: 'update',
    remoteId: remoteId(String(seen.id)),
    fields,
    members,
    ...(more.parentId !== undefined && { parentId: more.parentId }),
    precondition: {
      type: 'unchanged',
      digest: digest(
        shape,
        decodeFields(shape.shape, seen, byId),
        updateScope(shape, { fields, members }, idOf),
      ),
    },
  };
}

export function deleteOf(
  kind: string,
  key: string,
  seen: JsonObject,
  more: More = {},
): DeleteAction {
  const shape = kindOf(kind);
  return {
    ...base('delete', kind, key, more),
    verb: 'delete',
    remoteId: remoteId(String(seen.id)),
    ...(more.parentId !== undefined && { parentId: more.parentId }),
    precondition: {
      type: 'unchanged',
      children: more.children ?? [],
      digest: digest(shape, decodeFields(shape.shape, seen, byId), deleteScope(shape)),
    },
  };
}

export const pinOf = (kind: string, key: string, id: string, serverFields?: Fields): Pin => ({
  kind: kindName(kind),
  key: key as Key,
  id: remoteId(id),
  ...(serverFields && { serverFields }),
});

/** A plan of these actions, in an order that is theirs. */
export function planOf(actions: readonly Action[], pins: readonly Pin[] = []): Plan {
  return {
    dialect: 'spec',
    folder: 'test',
    changes: [],
    leftAlone: [],
    pins,
    // What tests make by hand is theirs to show.
    actions: actions as readonly ShownAction[],
    diagnostics: [],
    requests: { made: 0, planned: 0 },
    declared: 0,
  };
}

/** What opening a secret comes to where it is not there. */
export const NOT_THERE: Fault = { code: 'SECRET_UNDEFINED', message: 'a secret is not there' };

/** Carries a plan out on an account in memory, as if it had just been made. */
export function run(plan: Plan, account: Memory, options: Partial<RunOptions> = {}) {
  return runPlan(plan, {
    kinds: KINDS,
    port: account.port,
    concurrency: 4,
    openSecret: () => NOT_THERE,
    now: () => 0,
    planReadAt: 0,
    ...options,
  });
}

/** The one outcome of a plan with one action. */
export async function outcomeOf(
  action: Action,
  account: Memory,
  options: Partial<RunOptions> & { readonly pins?: readonly Pin[] } = {},
): Promise<Outcome> {
  const { pins = [], ...rest } = options;
  const { outcomes } = await run(planOf([action], pins), account, rest);
  return present(outcomes[0], 'an outcome');
}

/** Outcomes as one word each. */
export const statuses = (outcomes: readonly Outcome[]): string[] =>
  outcomes.map(({ status }) => status);
