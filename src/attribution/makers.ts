// Who made the objects of a kind that machines make too, by the audit log: their bodies do not tell.
import type { KindTable } from '../kinds/kind.ts';
import type { AuditEntry } from '../model/audit/entry.ts';
import type { KindName, RemoteId } from '../model/names.ts';
import type { Live } from '../model/object.ts';

/** `unknown`: the log has no entry about it, because it is cut or the token may not read it. */
export type Maker = 'person' | 'machine' | 'unknown';

/** Objects by their ids. */
type Made = Pick<Live, 'kind' | 'id'>;

/** Whether machines make objects of a kind for a time, beside people and tokens. */
export const isMadeByMachines = (kinds: KindTable, name: KindName): boolean =>
  kinds.get(name)?.createdEvent?.byMachines !== undefined;

/**
 * By id, the creators of objects of kinds that machines create too. A machine that publishes again what a user created changes
 * nothing.
 */
export function makersOf(
  objects: readonly Made[],
  kinds: KindTable,
  entries: readonly AuditEntry[],
): ReadonlyMap<RemoteId, Maker> {
  const codes = Map.groupBy(entries, ({ target }) => target);
  return new Map(
    objects
      .filter(({ kind }) => isMadeByMachines(kinds, kind))
      .map(({ kind, id }) => {
        const { codes: people = [], byMachines = [] } = kinds.get(kind)?.createdEvent ?? {};
        const logged = (codes.get(id) ?? []).map(({ code }) => code);
        const isOf = (some: readonly string[]) => logged.some(code => some.includes(code));
        return [id, isOf(people) ? 'person' : isOf(byMachines) ? 'machine' : 'unknown'] as const;
      }),
  );
}
