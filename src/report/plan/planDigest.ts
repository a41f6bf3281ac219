// The digest of a plan document: a short text that identifies what a person approves.
import { createHash } from 'node:crypto';
import { stableText } from '../../model/text/stableText.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { withoutPositions } from './storedGates.ts';

/** The form of a plan's digest. */
export const PLAN_DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * The digest of a plan document. It excludes the digest itself, the time and cost of planning, the maximum duration of an
 * apply, and positions in files: none of these changes what is applied or what it means.
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
  const judged = tests === undefined ? {} : { access_tests: withoutPositions(tests) };
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
