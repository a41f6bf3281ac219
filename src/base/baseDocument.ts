// A base as the JSON document that git stores, and back.
import { createHash } from 'node:crypto';
import { shippedSchema } from '../kinds/registry.ts';
import { constraintWords } from '../kinds/schema/constraintWords.ts';
import { shippedSchemaCheck } from '../kinds/shippedChecks.ts';
import type { BaseName, RecordedBase } from '../model/recordedBase.ts';
import { isTooDeep } from '../model/text/depth.ts';
import { jsonOf, jsonText } from '../model/text/jsonText.ts';
import { pathName } from '../model/text/pathName.ts';
import { pathOf } from '../model/text/pointer.ts';
import { isObject, type JsonObject } from '../model/value.ts';

/** The minor version grows when fields are added, the major version when readers would break. */
const FORMAT_VERSION = '1.7';

/** The base as a document. */
export function baseText({ recordedAt, ...base }: RecordedBase): string {
  const { account, folder, layers, name, revision, before, variables, objects, ids, guards } = base;
  const { absent, unfinished, closed, unstored, undone } = base;
  return jsonText({
    format_version: FORMAT_VERSION,
    account,
    folder,
    ...(layers && { layers }),
    ...(absent && { absent }),
    ...(name !== undefined && { name }),
    revision,
    recorded_at: recordedAt,
    ...(before && { before: { commit: before.commit, digest: before.digest } }),
    variables,
    objects: objects as unknown as readonly JsonObject[],
    ...(ids && { ids: ids as unknown as readonly JsonObject[] }),
    ...(guards && { guards: guards as unknown as JsonObject }),
    ...(unstored && { unstored: unstored as unknown as readonly JsonObject[] }),
    ...(undone && { undone: undone as unknown as readonly JsonObject[] }),
    ...(unfinished && { unfinished }),
    ...(closed && { closed }),
  });
}

/** The base in a document, or why the document cannot be read. */
export function baseOfText(text: string): RecordedBase | { readonly why: string } {
  const document = jsonOf(text);
  if (!isObject(document) || typeof document.format_version !== 'string')
    return { why: 'it is not a recorded base' };
  if (isTooDeep(document)) return { why: 'it is nested too deeply' };
  const { format_version: version } = document;
  if (version.split('.')[0] !== FORMAT_VERSION.split('.')[0])
    return { why: `it is of format ${version}, and this meshform reads ${FORMAT_VERSION}` };
  const check = shippedSchemaCheck(shippedSchema('base.schema.json'));
  if (!check(document)) {
    const [error] = check.errors ?? [];
    const place = pathName(pathOf(error?.instancePath ?? '')) || 'top';
    return { why: `its ${place} ${error ? constraintWords(error) : 'has a fault'}` };
  }
  const { recorded_at: recordedAt, format_version: _, ...base } = document;
  return { ...base, recordedAt } as unknown as RecordedBase;
}

/** The digest that identifies a base, because nobody can write another document with the same digest. */
export const digestOfBase = (text: string): string =>
  `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** The earlier base that a document names; undefined if it names none. The rest of the document is not checked. */
export function beforeIn(text: string): BaseName | undefined {
  const document = jsonOf(text);
  if (!isObject(document) || !isObject(document.before)) return undefined;
  const { commit, digest } = document.before;
  return typeof commit === 'string' && typeof digest === 'string' ? { commit, digest } : undefined;
}
