// What a person approves, as one short text: the digest of a plan document.
import { createHash } from 'node:crypto';
import { stableText } from '../../model/text/stableText.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { withoutPlaces } from './storedGates.ts';

/** How a digest of a plan is written. */
export const PLAN_DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * The digest of a whole plan document, except the digest itself, when it was made, what it took to make it, how long an
 * apply may take, and places in files: none of these says what is carried out or what that means.
 */
export function planDigest(document: JsonObject): string {
  const { meshform, ...rest } = document;
  const {
    digest: _,
    origins: __,
    made_at: ___,
    diagnostics,
    requests,
    access_tests: tests,
    ...ours
  } = isObject(meshform) ? meshform : {};
  const findings = isList(diagnostics) ? diagnostics.map(withoutPlace) : [];
  const counts = requests === undefined ? {} : { requests: planned(requests) };
  const judged = tests === undefined ? {} : { access_tests: withoutPlaces(tests) };
  const held = { ...ours, ...counts, ...judged, diagnostics: findings };
  const text = stableText({ ...rest, meshform: held });
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

function planned(requests: Json): Json {
  if (!isObject(requests)) return requests;
  const { rate: _, seconds: __, made: ___, ...counts } = requests;
  return counts;
}

function withoutPlace(finding: Json): Json {
  if (!isObject(finding)) return finding;
  const { at: _, ...rest } = finding;
  return rest;
}
