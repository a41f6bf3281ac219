// Requests generated from the contract: any operation, usually on an object that exists.
import type { Contract, Operation } from '../../../src/contract/index.ts';
import { chance, type Draw, pick } from './draw.ts';
import type { Sightings } from './sightings.ts';
import { type Source, text, valueAt } from './values.ts';

export interface FuzzRequest {
  readonly operation: Operation;
  /** As the contract has it, without a query. */
  readonly path: string;
  readonly search: string;
  /** A text is sent as it is. */
  readonly body: unknown;
}

const ODD_BODIES = ['', '{', '[]', 'null', '"text"', '{}{}', '{"name":', '[[[[', '{"a":1}garbage'];
const ODD_IDS = ['none', '0', '-1', 'current', '__proto__', 'a/b', ' ', '%'];

/** One request. Deletions are rarer than what makes things. */
export function drawRequest(contract: Contract, seen: Sightings, draw: Draw): FuzzRequest {
  const operation = pick(draw, contract.operations);
  if (operation.method === 'DELETE' && chance(draw, 0.5)) return drawRequest(contract, seen, draw);
  const source: Source = { draw, document: contract.document, seen };
  const query = operation.parameters
    .filter(parameter => parameter.in === 'query' && chance(draw, 0.4))
    .map(({ name }): [string, string] => [name, text(source, name)]);
  const search = query.length === 0 ? '' : `?${new URLSearchParams(query)}`;
  return { operation, search, path: path(source, operation), body: body(source, operation) };
}

function path({ draw, seen }: Source, { path: template }: Operation): string {
  const end = template.lastIndexOf('}') + 1;
  const known = seen.at(template.slice(0, end));
  if (known.length > 0 && chance(draw, 0.9)) return `${pick(draw, known)}${template.slice(end)}`;
  return template.replaceAll(/\{\w+\}/g, () => {
    const ids = seen.ids();
    const id = ids.length > 0 && chance(draw, 0.5) ? pick(draw, ids) : pick(draw, ODD_IDS);
    return encodeURIComponent(id);
  });
}

function body(source: Source, { request, method }: Operation): unknown {
  if (method === 'GET') return undefined;
  if (request === undefined) return chance(source.draw, 0.02) ? '{' : undefined;
  if (chance(source.draw, 0.02)) return pick(source.draw, ODD_BODIES);
  return valueAt(source, request);
}
