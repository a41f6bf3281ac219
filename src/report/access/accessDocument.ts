// The answer to an access question as a JSON document for programs.
import type { AccessAnswer } from '../../model/access/planAccess.ts';

/** The minor version grows when fields are added, the major version when readers would break. */
const FORMAT_VERSION = '1.1';

/** The document; see `schemas/access.schema.json`. */
export function accessDocument(answer: AccessAnswer): AccessAnswer & { format_version: string } {
  return { format_version: FORMAT_VERSION, ...answer };
}
