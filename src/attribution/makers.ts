// Who created objects, according to the audit log: the objects themselves do not say so.
import type { Kind, KindTable } from '../kinds/kind.ts';
import type { AuditEntry } from '../model/audit/entry.ts';
import type { KindName, RemoteId } from '../model/names.ts';
import type { Live } from '../model/object.ts';

/**
 * `edited`: a machine made the object, and a user or token changed it since, so that it has more than the machine published.
 * `unknown`: the log has no entry about the object, because the log is cut or the token may not read it.
 */
export type Maker = 'person' | 'machine' | 'edited' | 'unknown';

/** Objects by their ids. */
type Made = Pick<Live, 'kind' | 'id'>;

/** Whether machines create objects of a kind temporarily, in addition to people and tokens. */
export const isMadeByMachines = (kinds: KindTable, name: KindName): boolean =>
  kinds.get(name)?.createdEvent?.byMachines !== undefined;

/**
 * By id, the creators of objects, for kinds whose objects machines create too. If a machine publishes again what a user created,
 * the user remains the creator.
 */
export function makersOf(
  objects: readonly Made[],
  kinds: KindTable,
  entries: readonly AuditEntry[],
): ReadonlyMap<RemoteId, Maker> {
  const logged = Map.groupBy(entries, ({ target }) => target);
  return new Map(
    objects
      .filter(({ kind }) => isMadeByMachines(kinds, kind))
      .map(({ kind, id }) => [id, makerOf(kinds.get(kind), logged.get(id) ?? [])] as const),
  );
}

function makerOf(kind: Kind | undefined, entries: readonly AuditEntry[]): Maker {
  const { codes = [], byMachines = [] } = kind?.createdEvent ?? {};
  const of = (some: readonly string[]) => entries.filter(({ code }) => some.includes(code));
  if (of(codes).length > 0) return 'person';
  const machines = new Set(of(byMachines).map(({ by }) => by.id));
  if (machines.size === 0) return 'unknown';
  const updates = (kind?.auditEvents ?? []).flatMap(event =>
    event.type === 'update' ? event.codes : [],
  );
  return of(updates).some(({ by }) => !machines.has(by.id)) ? 'edited' : 'machine';
}

/** The ids of the objects that a user created. An entry about a parent does not say which of its children it concerns. */
export function madeBy(
  user: string,
  objects: readonly Made[],
  { kinds, entries }: { readonly kinds: KindTable; readonly entries: readonly AuditEntry[] },
): ReadonlySet<RemoteId> {
  const logged = Map.groupBy(
    entries.filter(({ by }) => by.id === user),
    ({ target }) => target,
  );
  const made = objects.filter(({ kind, id }) => {
    const event = kinds.get(kind)?.createdEvent;
    return (
      event !== undefined &&
      event.about !== 'parent' &&
      (logged.get(id) ?? []).some(({ code }) => event.codes.includes(code))
    );
  });
  return new Set(made.map(({ id }) => id));
}
