// The form in which a server stores declared objects, for commands that check files without a server.
import type { AsServerStores } from '../../access/state/stateOfFiles.ts';
import { ASSUMED_DIALECT } from '../../api/account/dialect.ts';
import { inParts } from '../../engine/scope/parts.ts';
import type { DialectChoice } from '../../kinds/traits.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';

/**
 * Converts declared objects to the form in which servers of a dialect store them. Without a server,
 * the default dialect is assumed.
 */
export function serverForm(choice: DialectChoice = 'auto'): AsServerStores {
  const { kinds } = loadSchemas();
  const dialect = choice === 'auto' ? ASSUMED_DIALECT : choice;
  return objects => inParts(objects, kinds, dialect);
}
