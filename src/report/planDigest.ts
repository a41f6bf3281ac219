// What a person approves, as one short text: the digest of a plan document.
import { createHash } from 'node:crypto';
import { stableText } from '../model/stableText.ts';
import { isList, isObject, type Json, type JsonObject } from '../model/value.ts';

/** How a digest of a plan is written. */
export const PLAN_DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Notes that tell of the access diff. */
const OF_ACCESS: ReadonlySet<Json | undefined> = new Set(['WIDENS_ACCESS', 'NARROWS_ACCESS']);

/**
 * The digest of a whole plan document, except the digest itself, when it was made, what it took to make it, how long an
 * apply may take, places in files and the access diff: none of these changes what is carried out, and access depends on the
 * rest of the account too.
 */
export function planDigest(document: JsonObject): string {
  const { meshform, ...rest } = document;
  const {
    digest: _,
    origins: __,
    made_at: ___,
    access: ____,
    access_changes: _____,
    diagnostics,
    requests,
    ...ours
  } = isObject(meshform) ? meshform : {};
  const findings = isList(diagnostics)
    ? diagnostics.filter(finding => !isOfAccess(finding)).map(withoutPlace)
    : [];
  const counts = requests === undefined ? {} : { requests: planned(requests) };
  const text = stableText({ ...rest, meshform: { ...ours, ...counts, diagnostics: findings } });
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

// The requests that were made to compare access depend on the rest of the account.
function planned(requests: Json): Json {
  if (!isObject(requests)) return requests;
  const { rate: _, seconds: __, made: ___, ...counts } = requests;
  return counts;
}

const isOfAccess = (finding: Json): boolean => isObject(finding) && OF_ACCESS.has(finding.code);

function withoutPlace(finding: Json): Json {
  if (!isObject(finding)) return finding;
  const { at: _, ...rest } = finding;
  return rest;
}
