// Finds actions of a plan that remove objects which another folder has declared since the plan was
// made.
import { readPort } from '../../api/account/port.ts';
import { readTransport } from '../../api/transport/transport.ts';
import { placeOf } from '../../engine/pruning/declaredNow.ts';
import {
  isPruning,
  type Taken,
  takenFromOthers,
  takesAnything,
} from '../../engine/pruning/takenFromOthers.ts';
import { sharesNames } from '../../kinds/identity/identity.ts';
import { kindsIn } from '../../kinds/schema/table.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ActionId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Fault } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan.ts';
import type { Signer } from '../../model/signer.ts';
import { quoted } from '../../model/text/visible.ts';
import { byId, decodeFields } from '../../wire/decode.ts';
import type { UnverifiedBase } from '../refusal.ts';
import type { ApplyRequest } from '../request.ts';
import {
  asServerKeeps,
  type FolderReading,
  othersOf,
  unreadFolders,
  unsignedBase,
} from './otherFoldersNow.ts';

/** The reasons why actions of a plan must not be carried out. */
export interface DeclaredSince {
  readonly faults: ReadonlyMap<ActionId, Fault>;
  /** An error for each folder whose files cannot be read, if the plan deletes objects that the files no longer declare. */
  readonly unread: readonly Diagnostic[];
}

type Request = FolderReading & Pick<ApplyRequest, 'connection'>;

/**
 * Reads the other folders of the account and compares a plan with them. Without a signer, it trusts
 * the bases of these folders.
 */
export async function declaredSince(
  plan: Plan,
  request: Request,
  signer?: Signer,
): Promise<DeclaredSince | UnverifiedBase> {
  const others = takesAnything(plan) ? await othersOf(plan, request) : [];
  if (others.length === 0) return { faults: new Map(), unread: [] };
  const { kinds, secrets } = request;
  const live = await withWebAddresses(plan, request);
  const fieldsOf = new Map(live.map(({ kind, id, fields }) => [`${kind} ${id}`, fields]));
  const taken = takenFromOthers(plan, {
    kinds,
    others: asServerKeeps(others, { kinds, secrets, plan, live }),
    fieldsOf: (kind, id) => fieldsOf.get(`${kind} ${id}`),
  });
  const refusal = signer && (await unsignedBase(taken, plan, request.host, signer));
  if (refusal) return refusal;
  const changes = new Map(plan.changes.map(change => [change.address, change]));
  const pruning = plan.actions.filter(action => isPruning(action, changes));
  const unread = pruning.length === 0 ? [] : unreadFolders(others, plan);
  const doubts = unread.slice(0, 1).map(doubt);
  return {
    faults: new Map([
      ...pruning.flatMap(({ id }) => doubts.map(fault => [id, fault] as const)),
      ...taken.map(one => [one.action, faultOf(one)] as const),
    ]),
    unread,
  };
}

const doubt = ({ message, hint }: Diagnostic): Fault => ({
  code: 'PLAN_STALE',
  message,
  ...(hint !== undefined && { hint }),
});

function faultOf(taken: Taken): Fault {
  const { by, address, folder, members } = taken;
  const place = placeOf(taken);
  const message = members
    ? `the plan would remove ${members.removed.map(quoted).join(', ')} from ${quoted(members.field)} of ${address}, which ${quoted(folder)} declares now, ${place}`
    : `${address} is declared by ${quoted(folder)} now, ${place}, and the plan would ${by} it`;
  return {
    code: 'PLAN_STALE',
    message,
    hint: 'create a new plan with `meshform plan` and review it',
  };
}

// If the plan deletes an object that is identified by a web address, adds such objects with their
// addresses, because a plan does not contain the addresses.
async function withWebAddresses(
  { actions, dialect }: Plan,
  { kinds: known, connection }: Request,
): Promise<readonly Pick<Live, 'kind' | 'id' | 'fields'>[]> {
  const kinds = kindsIn(known, dialect);
  const names = new Set(actions.flatMap(({ verb, kind }) => (verb === 'delete' ? kind : [])));
  const port = readPort(readTransport(connection));
  const lists = [...names].flatMap(name => {
    const kind = kinds.get(name);
    if (!kind || !sharesNames(kind)) return [];
    const list = port.list(kind);
    return list.then(objects =>
      objects.map(({ id, body }) => ({
        kind: name,
        id,
        fields: decodeFields(kind.shape, body, byId),
      })),
    );
  });
  return (await Promise.all(lists)).flat();
}
