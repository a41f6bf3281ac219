// Turns schema errors into one diagnostic per mistake. Decides which errors are separate mistakes, and which only follow from
// others or repeat them.
import type { ErrorObject } from 'ajv';
import type { ObjectShape } from '../../kinds/kind.ts';
import { fieldsLookedAt } from '../../kinds/schema/conditions.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { pathOf } from '../../model/text/pointer.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import type { SourceNode } from '../yaml/node.ts';
import type { Mistake } from './mistake.ts';
import { sentence } from './sentences.ts';
import { meantByMistake } from './slips.ts';

/** The diagnostics for the errors of Ajv in `placed`. `shape`: the shape of the value, if it is an object of a kind. */
export function schemaFindings(
  errors: readonly ErrorObject[],
  node: SourceNode,
  shape?: ObjectShape,
): Diagnostic[] {
  const reported = new Set<string>();
  return mistakes(errors, node, shape).flatMap((mistake): Diagnostic[] => {
    const { code, message, hint, key } = sentence(mistake);
    const { path, isCombination } = mistake;
    // A combination may forbid several fields, but it is one mistake.
    const once = isCombination && `${mistake.owner} ${message}`;
    if (once && reported.has(once)) return [];
    if (once) reported.add(once);
    const position = key === undefined ? path : [...path, key];
    const at = isCombination || key !== undefined ? node.keyAt(position) : node.at(position);
    return [{ code, severity: 'error', message, at, ...(hint && { hint }) }];
  });
}

function mistakes(
  errors: readonly ErrorObject[],
  node: SourceNode,
  shape: ObjectShape | undefined,
): Mistake[] {
  const own = errors.filter(error => !isPart(error) && !isExclusive(error));
  const faulty = new Set(own.filter(error => !isConditional(error)).flatMap(positionsOf));
  const undecided = own.filter(error => error.keyword === 'if' && looksAt(error, faulty));
  const closed = new Set(
    own.flatMap(({ keyword, instancePath }) => (keyword === 'enum' ? instancePath : [])),
  );
  return own
    .filter(error => error.keyword !== 'if')
    .filter(error => !undecided.some(condition => isConsequence(error, condition)))
    .filter(error => error.keyword !== 'type' || !closed.has(error.instancePath))
    .filter(error => !(error.keyword === 'required' && isSlip(error)))
    .map(error => ({
      error,
      path: pathOf(error.instancePath),
      node,
      shape,
      isCombination: isConditional(error),
      owner: own.find(condition => isConsequence(error, condition))?.instancePath ?? '',
    }))
    .filter(({ path }) => !node.isBroken(path));
}

// Whether an error belongs to one alternative of a schema with alternatives.
const isPart = ({ schemaPath }: ErrorObject): boolean => /\/(?:oneOf|anyOf)\/\d/.test(schemaPath);

// `ruleFindings.ts` reports "exactly one of these fields" in one sentence.
function isExclusive({ keyword, schema }: ErrorObject): boolean {
  const variants: Json = keyword === 'oneOf' ? (schema as Json) : null;
  return (
    isList(variants) &&
    variants.every(variant => isObject(variant) && Object.keys(variant).join() === 'required')
  );
}

const isConditional = ({ schemaPath }: ErrorObject): boolean =>
  /\/(?:then|else)\//.test(schemaPath);

// The place of an error: the wrong value, or the missing field.
function positionsOf({ keyword, instancePath, params }: ErrorObject): string[] {
  return [keyword === 'required' ? `${instancePath}/${params.missingProperty}` : instancePath];
}

function looksAt({ instancePath, schema }: ErrorObject, faulty: ReadonlySet<string>): boolean {
  const fields = [...fieldsLookedAt(schema as JsonObject)];
  return fields.some(name => faulty.has(`${instancePath}/${name}`));
}

function isConsequence(error: ErrorObject, condition: ErrorObject): boolean {
  const family = condition.schemaPath.replace(/\/if$/, '');
  return (
    condition.keyword === 'if' &&
    error.schemaPath.startsWith(`${family}/`) &&
    `${error.instancePath}/`.startsWith(`${condition.instancePath}/`)
  );
}

function isSlip({ data, params, parentSchema }: ErrorObject): boolean {
  const known = Object.keys((parentSchema?.properties ?? {}) as JsonObject);
  const value = data as Json;
  return isObject(value) && meantByMistake(value, known).has(String(params.missingProperty));
}
