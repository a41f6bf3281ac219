// The form in which a server stores declared objects, for commands that check files without a server.
import type { AsServerStores } from '../../access/state/stateOfFiles.ts';
import { ASSUMED_DIALECT } from '../../api/account/dialect.ts';
import { inParts } from '../../engine/scope/parts.ts';
import type { Dialect, DialectChoice } from '../../kinds/traits.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';

const known = new Map<Dialect, AsServerStores>();

/**
 * The form in which servers of a dialect store declared objects. Without a server, the default dialect is assumed. The function
 * for a dialect is always the same, so results that depend on it can be cached.
 */
export function serverForm(choice: DialectChoice = 'auto'): AsServerStores {
  const { kinds } = loadSchemas();
  const dialect = choice === 'auto' ? ASSUMED_DIALECT : choice;
  const form: AsServerStores = known.get(dialect) ?? (objects => inParts(objects, kinds, dialect));
  known.set(dialect, form);
  return form;
}
