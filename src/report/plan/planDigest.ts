// The digests of a plan document: one identifies what a person approves, the other compares plans.
import { createHash } from 'node:crypto';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { stableText } from '../../model/text/stableText.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { testsWithoutPlaces, withoutPlaces } from './storedPlaces.ts';

/** The form of a digest. */
export const PLAN_DIGEST = /^sha256:[0-9a-f]{64}$/;

/** The digests of a plan document. */
export interface PlanDigests {
  /** Identifies the document: it covers everything that an apply of the document does, asks for, shows or reads. */
  readonly digest: string;
  /**
   * Equal for plans that do the same, regardless of the time and the commit at which they are made. This digest approves nothing.
   */
  readonly contentDigest: string;
}

/** Neither digest covers these parts of `meshform`: the digests themselves, and the places of declarations. */
const UNCOVERED: ReadonlySet<string> = new Set(['digest', 'content_digest', 'origins']);

/**
 * Parts that only `digest` covers: the time and the sources of a plan, what is recorded after it, where the files contain its
 * secrets, and the objects that it does not touch. A new part of this kind must be added here. Every part that is not listed
 * counts as content.
 */
const RECORD: ReadonlySet<string> = new Set([
  'made_at',
  'revision',
  'base',
  'secret_sources',
  'counted_runs',
  'endings',
  'former_ends',
  'judged_with',
  'left_alone',
]);

/** Parts with places in files, and for each a function that returns the content that the digest covers. */
const PLACED: ReadonlyMap<string, (part: Json) => Json> = new Map([
  ['diagnostics', withoutPlaces],
  ['loosened_guards', withoutPlaces],
  ['access_tests', testsWithoutPlaces],
]);

/** The parts of `requests` that are about the plan, and not about its apply. */
const COST: ReadonlySet<string> = new Set(['made', 'rate', 'seconds']);

/**
 * Parts that depend on the order of declarations, on the cost of planning, or on untouched objects. For each, a function returns
 * the content that the content digest covers.
 */
const REDUCED: ReadonlyMap<string, (part: Json) => Json> = new Map([
  ['diagnostics', sorted],
  ['access_tests', testsSorted],
  ['requests', withoutCost],
  ['summary', withoutLeftAlone],
  ['access', accessContent],
]);

/** The digests of a plan document. They do not depend on digests in the document, or on places in files. */
export function planDigests(document: JsonObject): PlanDigests {
  const { meshform, ...rest } = document;
  const parts = Object.entries(isObject(meshform) ? meshform : {})
    .filter(([name]) => !UNCOVERED.has(name))
    .map(([name, part]) => [name, PLACED.get(name)?.(part) ?? part] as const);
  const content = parts
    .filter(([name]) => !RECORD.has(name))
    .map(([name, part]) => [name, REDUCED.get(name)?.(part) ?? part] as const);
  const record = parts.filter(([name]) => RECORD.has(name) || REDUCED.has(name));
  const contentDigest = digestOf({ ...rest, meshform: Object.fromEntries(content) });
  const digest = digestOf({ content: contentDigest, record: Object.fromEntries(record) });
  return { digest, contentDigest };
}

const digestOf = (value: JsonObject): string =>
  `sha256:${createHash('sha256').update(stableText(value)).digest('hex')}`;

function sorted(items: Json): Json {
  if (!isList(items)) return items;
  const texts = items.map(item => [stableText(item), item] as const);
  return texts.toSorted(([one], [other]) => compareTexts(one, other)).map(([, item]) => item);
}

function testsSorted(part: Json): Json {
  return isObject(part) && part.tests !== undefined ? { ...part, tests: sorted(part.tests) } : part;
}

function withoutLeftAlone(summary: Json): Json {
  if (!isObject(summary)) return summary;
  const { left_alone: _, ...rest } = summary;
  return rest;
}

// The content of `access`. An account counts as new until it has an object of its own, whatever the
// plan does. A plan for a new account has no order of steps; this counts the same as an order
// without remarks. Changes without effect are left out: the reason may be a rule that the plan does
// not touch.
function accessContent(access: Json): Json {
  if (!isObject(access)) return access;
  const { order, without_effect: _, no_effect: __, ...rest } = access;
  const status = rest.status === 'new-account' ? 'unchanged' : rest.status;
  return {
    ...rest,
    ...(status !== undefined && { status }),
    ...(order !== undefined && stableText(order) !== IN_ORDER && { order }),
  };
}

const IN_ORDER = stableText({ status: 'in_bounds', left_out: 0, given_up: [] });

function withoutCost(requests: Json): Json {
  if (!isObject(requests)) return requests;
  return Object.fromEntries(Object.entries(requests).filter(([name]) => !COST.has(name)));
}
