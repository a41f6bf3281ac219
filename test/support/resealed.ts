// Plans that were edited by somebody who knows how to make the digests fit.
import { isObject, type JsonObject } from '../../src/model/value.ts';
import { planDigests } from '../../src/report/plan/planDigest.ts';

/** The same document with the digests that fit its content. */
export function resealed(document: JsonObject): JsonObject {
  const { digest, contentDigest } = planDigests(document);
  const { meshform } = document;
  const own = isObject(meshform) ? meshform : {};
  return { ...document, meshform: { ...own, digest, content_digest: contentDigest } };
}
