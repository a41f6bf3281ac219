// Plans of format 1, which earlier versions saved. A plan file of format 1 is not applied, because its digest does not cover the
// places from which its secrets are read. A plan of format 1 in a journal is still accepted, so that an apply that an earlier
// version began can be continued.
import { createHash } from 'node:crypto';
import { stableText } from '../../model/text/stableText.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { planDigests } from './planDigest.ts';
import { FORMAT_VERSION } from './planDocument.ts';

const OLDER = /^1\.\d+$/;

/** Whether a document is a plan of an earlier format. */
export function isOlderPlan({ format_version: version, meshform }: JsonObject): boolean {
  return typeof version === 'string' && OLDER.test(version) && isObject(meshform);
}

/** A plan of an earlier format in today's format; null if its own digest does not match its content. */
export function convertedPlan(older: JsonObject): JsonObject | null {
  const { meshform } = older;
  if (!isObject(meshform) || meshform.digest !== olderDigest(older)) return null;
  const { digest: _, origins, ...parts } = meshform;
  const converted = {
    made_at: NEVER,
    ...parts,
    ...convertedOrigins(isObject(origins) ? origins : {}),
  };
  const document = { ...older, format_version: FORMAT_VERSION, meshform: converted };
  const { digest, contentDigest } = planDigests(document);
  return { ...document, meshform: { digest, content_digest: contentDigest, ...converted } };
}

/** The time of a plan without a time: format 1 did not record when an apply of files made its plan. */
const NEVER = '1970-01-01T00:00:00.000Z';

// The places of declarations, without the positions of secrets, which format 1 stored together with them.
function convertedOrigins(origins: JsonObject): JsonObject {
  const entries = Object.entries(origins).filter(([, origin]) => isObject(origin));
  const places = entries.map(([address, origin]) => [address, withoutKey(origin, 'secrets')]);
  const sources = entries.flatMap(([address, origin]) =>
    isObject(origin) && isList(origin.secrets) ? [[address, origin.secrets]] : [],
  );
  return {
    origins: Object.fromEntries(places),
    ...(sources.length > 0 && { secret_sources: Object.fromEntries(sources) }),
  };
}

// The digest as format 1 defined it.
function olderDigest(document: JsonObject): string {
  const { meshform, ...rest } = document;
  const {
    digest: _,
    origins: __,
    made_at: ___,
    diagnostics = [],
    requests,
    access_tests: tests,
    ...ours
  } = isObject(meshform) ? meshform : {};
  const held = {
    ...ours,
    ...(requests !== undefined && { requests: withoutCost(requests) }),
    ...(tests !== undefined && { access_tests: withoutPlaces(tests) }),
    diagnostics: isList(diagnostics) ? diagnostics.map(one => withoutKey(one, 'at')) : [],
  };
  const text = stableText({ ...rest, meshform: held });
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

const withoutCost = (requests: Json): Json =>
  ['made', 'rate', 'seconds'].reduce(withoutKey, requests);

function withoutPlaces(value: Json): Json {
  if (isList(value)) return value.map(withoutPlaces);
  const rest = withoutKey(value, 'at');
  if (!isObject(rest)) return rest;
  return Object.fromEntries(
    Object.entries(rest).map(([name, part]) => [name, withoutPlaces(part)] as const),
  );
}

function withoutKey(value: Json, key: string): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}
