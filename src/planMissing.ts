// Which names in the files are of objects that somebody deleted or renamed in the account: the base or the audit log knows
// them. Every other name without an object is a typing error.
import { readAuditLog } from './api/events/audit.ts';
import type { ReadTransport } from './api/transport/transport.ts';
import { fatesIn } from './attribution/fate.ts';
import { unresolvedNames } from './engine/missing/unresolved.ts';
import { bases, type PlanInput } from './engine/scope/run.ts';
import type { KindTable } from './kinds/kind.ts';
import { refsIn } from './kinds/values/refs.ts';
import type { ComparedAccount } from './model/compared.ts';
import { ApiError } from './model/errors.ts';
import { addressOf } from './model/key.ts';
import type { MissingObject } from './model/missing.ts';
import type { Address, Key } from './model/names.ts';
import type { Desired } from './model/object.ts';

/** The missing objects that the files name. Reads the audit log, if a name has no object and the token may read it. */
export async function missingObjects(
  input: PlanInput,
  account: ComparedAccount,
  transport: ReadTransport,
): Promise<readonly MissingObject[]> {
  const { names } = unresolvedNames(input);
  if (names.length === 0) return [];
  const { kinds } = input;
  const known = namesIn(bases(input), kinds);
  const entries = await logEntries(transport);
  const fateOf = fatesIn({ kinds, account, entries });
  return names.flatMap((name): MissingObject[] => {
    const fate = fateOf(name.kind, name.key);
    if (fate) return [{ ...name, fate }];
    return fate === null || known.has(addressOf(name.kind, name.key)) ? [name] : [];
  });
}

// The objects that declarations declare or refer to.
function namesIn(objects: readonly Desired[], kinds: KindTable): ReadonlySet<Address> {
  return new Set(
    objects.flatMap(({ kind: name, key, fields }) => {
      const kind = kinds.get(name);
      const refs = kind ? refsIn(kind.shape, fields) : [];
      return [addressOf(name, key), ...refs.map(ref => addressOf(ref.kind, ref.key as Key))];
    }),
  );
}

async function logEntries(transport: ReadTransport) {
  try {
    return (await readAuditLog(transport)).entries;
  } catch (error) {
    // The base may know the names all the same.
    if (error instanceof ApiError) return [];
    throw error;
  }
}
