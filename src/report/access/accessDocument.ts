// An answer about access as the JSON document that programs read.
import type { AccessAnswer } from '../../model/access/planAccess.ts';

/** Grows in its second part when fields are added, in its first when readers would break. */
const FORMAT_VERSION = '1.0';

/** The document; see `schemas/access.schema.json`. */
export function accessDocument(answer: AccessAnswer): AccessAnswer & { format_version: string } {
  return { format_version: FORMAT_VERSION, ...answer };
}
