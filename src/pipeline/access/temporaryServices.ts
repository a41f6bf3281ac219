// Services that machines created temporarily. They are listed, but guards and access tests do not judge them.

import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Live } from '../../model/object.ts';
import { nameText } from '../../model/text/visible.ts';

/** A note for each temporary service. */
export const temporaryNotes = (temporary: readonly Live[]): readonly Diagnostic[] =>
  temporary.map(({ kind, id, fields }) => ({
    code: 'SERVICE_TEMPORARY',
    severity: 'note',
    message: `a machine created ${kind} ${nameText(String(fields.domain ?? id))} temporarily: it is listed, and no guard or access test judges it`,
    hint: 'switch `peer_expose_enabled` off in the account settings if machines must not publish ports',
  }));
