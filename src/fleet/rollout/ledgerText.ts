// A ledger as the JSON document that is stored, and back.
import { shippedSchema } from '../../kinds/registry.ts';
import { constraintWords } from '../../kinds/schema/constraintWords.ts';
import { shippedSchemaCheck } from '../../kinds/shippedChecks.ts';
import type { Ledger } from '../../model/rollout.ts';
import { isTooDeep } from '../../model/text/depth.ts';
import { jsonOf, jsonText } from '../../model/text/jsonText.ts';
import { pathName } from '../../model/text/pathName.ts';
import { pathOf } from '../../model/text/pointer.ts';
import { isObject } from '../../model/value.ts';

/** The minor version grows when fields are added, the major version when readers would break. */
const FORMAT_VERSION = '1.2';

/** The ledger as a document. */
export const ledgerText = (ledger: Ledger): string =>
  jsonText({ format_version: FORMAT_VERSION, ...ledger });

/** The ledger in a document, or why it cannot be read. */
export function ledgerOfText(text: string): Ledger | { readonly why: string } {
  const document = jsonOf(text);
  if (!isObject(document) || typeof document.format_version !== 'string')
    return { why: 'it is not a ledger' };
  if (isTooDeep(document)) return { why: 'it is nested too deeply' };
  const { format_version: version, ...ledger } = document;
  if (version.split('.')[0] !== FORMAT_VERSION.split('.')[0])
    return { why: `it is of format ${version}, and this meshform reads ${FORMAT_VERSION}` };
  const check = shippedSchemaCheck(shippedSchema('rollout.schema.json'));
  if (!check(document)) {
    const [error] = check.errors ?? [];
    const place = pathName(pathOf(error?.instancePath ?? '')) || 'top';
    return { why: `its ${place} ${error ? constraintWords(error) : 'has a fault'}` };
  }
  return ledger as unknown as Ledger;
}
