// The objects that an unfinished apply created, if its journal or the audit log proves this.
import type { KindTable } from '../../../kinds/kind.ts';
import { present } from '../../../model/errors.ts';
import { begunIn, type EarlierRun } from '../../../model/journal.ts';
import type { Address, RemoteId } from '../../../model/names.ts';
import type { CreateAction, Plan, ShownAction } from '../../../model/plan.ts';
import type { RecordedId } from '../../../model/recordedBase.ts';
import type { AccountPort } from '../../port.ts';
import { type RunNames, runNames } from '../turns/runNames.ts';
import { hasIdentityOf } from '../turns/sameIdentity.ts';
import { createdByThisRun, isProvable } from './authorship.ts';
import { listedOrNothing } from './notFound.ts';

/** The account, which is only read. */
export interface LeftAccount {
  readonly kinds: KindTable;
  readonly port: Pick<AccountPort, 'list' | 'log'>;
}

/** An unfinished run. */
export interface UnfinishedRun {
  readonly plan: Plan;
  readonly earlier: EarlierRun;
  /** By action, the ids of the objects whose creation the server confirmed. */
  readonly created: ReadonlyMap<string, RemoteId>;
}

/** The objects that a run left in the account. */
export interface LeftBehind {
  /** The objects that the run provably created, in the order of its plan. */
  readonly created: readonly RecordedId[];
  /** Objects that exist in the account, if nothing can prove whether the run created them. */
  readonly unproven: readonly Address[];
}

/**
 * Returns the objects that a run left. Without proof, an object belongs to somebody else. Throws an
 * `ApiError` if a list cannot be read.
 */
export async function leftBehind(
  { plan, earlier, created }: UnfinishedRun,
  account: LeftAccount,
): Promise<LeftBehind> {
  const names = runNames(plan);
  for (const { kind, key, id, server_fields: body } of earlier.names)
    names.learn(kind, key, id, body);
  const found: RecordedId[] = [];
  const unproven: Address[] = [];
  for (const action of plan.actions.filter(isCreate)) {
    const { id: name, kind, key, address } = action;
    const id =
      earlier.done.get(name)?.remoteId ??
      earlier.sent.get(name)?.remoteId ??
      created.get(name) ??
      (await provenIn(action, { names, earlier }, account));
    if (id === 'unprovable') unproven.push(address);
    if (id === undefined || id === 'unprovable') continue;
    if (names.find(kind, key) !== id) names.learn(kind, key, id, {});
    found.push({ kind, key, id });
  }
  return { created: found, unproven };
}

const isCreate = (action: ShownAction): action is ShownAction & CreateAction =>
  action.verb === 'create';

// The object that the run created; `unprovable` if there is an object that it may have created.
async function provenIn(
  action: CreateAction,
  { names, earlier }: { readonly names: RunNames; readonly earlier: EarlierRun },
  { kinds, port }: LeftAccount,
): Promise<RemoteId | 'unprovable' | undefined> {
  const begun = begunIn(earlier, action.id);
  if (begun === undefined) return undefined;
  const kind = present(kinds.get(action.kind), `the kind ${action.kind}`);
  const parentId =
    kind.parent === undefined ? undefined : names.find(kind.parent, action.parent ?? '');
  if (kind.parent !== undefined && parentId === undefined) return undefined;
  const listed = await listedOrNothing(port.list(kind, parentId));
  const isNamesake = hasIdentityOf(action, { kind, names });
  const candidates = listed.filter(
    ({ id, body }) => !names.isKnown(action.kind, id) && isNamesake(body),
  );
  const { newest: logPosition, user: earlierUser } = earlier;
  const context = { kind, port, names, begun, logPosition, earlierUser };
  if (candidates.length > 0 && !(await isProvable(candidates, context))) return 'unprovable';
  const [one, ...others] = await createdByThisRun(action, candidates, context);
  return others.length === 0 ? one?.id : 'unprovable';
}
