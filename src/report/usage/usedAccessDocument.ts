// The used access as a JSON document for programs.
import type { UsedAccess } from '../../model/usedAccess.ts';

/** The minor version grows when fields are added, the major version when readers would break. */
const FORMAT_VERSION = '1.0';

/** The document; see `schemas/used-access.schema.json`. */
export function usedAccessDocument(used: UsedAccess): UsedAccess & { format_version: string } {
  return { format_version: FORMAT_VERSION, ...used };
}
