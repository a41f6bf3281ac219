// What a person approves, as one short text: the digest of a plan document.
import { createHash } from 'node:crypto';
import { stableText } from '../model/stableText.ts';
import { isList, isObject, type Json, type JsonObject } from '../model/value.ts';

/** How a digest of a plan is written. */
export const PLAN_DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * The digest of a whole plan document, except the digest itself, places in files and the access diff: where an object is
 * declared changes nothing that is carried out, and access depends on the rest of the account too.
 */
export function planDigest(document: JsonObject): string {
  const { meshform, ...rest } = document;
  const { digest: _, origins: __, diagnostics, ...all } = isObject(meshform) ? meshform : {};
  const { access: ___, access_changes: ____, ...ours } = all;
  const findings = isList(diagnostics) ? diagnostics.map(withoutPlace) : [];
  const text = stableText({ ...rest, meshform: { ...ours, diagnostics: findings } });
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

function withoutPlace(finding: Json): Json {
  if (!isObject(finding)) return finding;
  const { at: _, ...rest } = finding;
  return rest;
}
