// Which actions show a secret once: a create, and an update that renews the secret of an object.
import type { Kind } from '../../kinds/kind.ts';
import type { Action } from '../../model/plan.ts';

/** The field of the one-time secret that the server shows to an action; undefined if it shows none. */
export function secretShownBy(action: Action, kind: Kind | undefined): string | undefined {
  if (action.verb === 'create') return kind?.oneTimeSecret;
  return action.verb === 'update' ? action.renews?.secret : undefined;
}
