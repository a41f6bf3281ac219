// How a server keeps declared objects, for commands that judge files without asking a server.
import type { AsKept } from '../../access/state/ofFiles.ts';
import { ASSUMED_DIALECT } from '../../api/account/dialect.ts';
import { inParts } from '../../engine/scope/parts.ts';
import type { DialectChoice } from '../../kinds/traits.ts';
import { loadSchemas } from '../../pipeline.ts';

/** How a server keeps declared objects. Where no server can be asked for its dialect, it is assumed as elsewhere. */
export function keptIn(choice: DialectChoice = 'auto'): AsKept {
  const { kinds } = loadSchemas();
  const dialect = choice === 'auto' ? ASSUMED_DIALECT : choice;
  return objects => inParts(objects, kinds, dialect);
}
