// Determines which actions of a plan move existing machines between groups.
import type { KindTable } from '../../kinds/kind.ts';
import { kindName } from '../../model/names.ts';

/** An action of a plan. A delete has no fields, and only an update of a set has members. */
export interface MovingAction {
  readonly kind: string;
  readonly verb: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly members?: Readonly<Record<string, unknown>>;
}

/**
 * Returns whether an action moves existing machines between groups. Machines may move as members of
 * a group, or together with their owner, or together with all owners because a setting now lets
 * machines follow their owners.
 */
export const movesMachines =
  (kinds: KindTable) =>
  ({ kind: name, verb, fields, members }: MovingAction): boolean => {
    const isWritten = (field: string) =>
      fields?.[field] !== undefined || members?.[field] !== undefined;
    if (name === 'group') return isWritten('peers');
    const kind = kinds.get(kindName(name));
    // A new owner has no machines yet.
    if (kind === undefined || verb !== 'update') return false;
    const moving = [...kind.shape.fields.values()].filter(({ movesMembers }) => movesMembers);
    return (
      moving.some(field => isWritten(field.name)) ||
      (kind.propagates !== undefined && isWritten(kind.propagates.field))
    );
  };
