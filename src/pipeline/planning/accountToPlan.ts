// Reads the part of an account that a plan needs: everything that files, bases and unfinished
// applies declare or to which they refer.

import { fetchAndWiden, type Widening } from '../../api/account/fetch.ts';
import type { ReadTransport } from '../../api/transport/transport.ts';
import { beforeEnds } from '../../engine/scope/beforeEnds.ts';
import { selectionToRead } from '../../engine/scope/currentNames.ts';
import { withDependencies } from '../../engine/scope/dependencies.ts';
import { type ReadScope, readScope, withRecordedParents } from '../../engine/scope/readScope.ts';
import { objectDiffersByDialect } from '../../kinds/dialect/dialects.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { registerHidden } from '../../kinds/values/hidden.ts';
import { refsOfShape } from '../../kinds/values/refs.ts';
import type { LeftObjects } from '../../model/leftObjects.ts';
import type { KindName } from '../../model/names.ts';
import type { Action } from '../../model/plan.ts';
import type { Declarations } from '../names/declarations.ts';
import type { PlanRequest } from './planRequest.ts';

/** The request, and everything that determines which part of an account is read. */
interface Reading extends PlanRequest {
  readonly kinds: KindTable;
  /** The objects that unfinished applies left. */
  readonly left: LeftObjects | undefined;
}

/** Reads the account. `onHidden` receives the secrets in it. */
export async function accountToPlan(
  declarations: Declarations,
  reading: Reading,
  transport: ReadTransport,
): Promise<Widening> {
  const { kinds } = reading;
  const { desired, former } = declarations;
  const account = await fetchAndWiden(transport, kinds, scopeOfPlan(declarations, reading), {
    ...reading,
    dialect: reading.dialect ?? 'auto',
    isDialectDeclared: [...desired, ...former].some(one => objectDiffersByDialect(kinds, one)),
  });
  registerHidden(kinds, account.snapshot.objects, reading.onHidden);
  return account;
}

function scopeOfPlan(
  { desired, former, ids, recorded }: Declarations,
  { kinds, left, select = {}, prune, watch, suggestRenames = false }: Reading,
): ReadScope {
  const declaredOnce = { declared: [...desired, ...former], ids };
  const toRead = withDependencies(selectionToRead(select, declaredOnce, kinds), desired, kinds);
  const named = [...former, ...beforeEnds(desired)];
  const needed = readScope(kinds, desired, named, prune, toRead);
  const scope = withRecordedParents(needed, ids, kinds);
  const watched = { ...scope, kinds: scope.kinds.union(new Set(watch)) };
  const wide = suggestRenames ? withAllParents(watched) : watched;
  const withEnds = recorded?.hasBase ? [] : left?.withEnds;
  return left ? withLeftKinds(wide, { ...left, withEnds }, kinds) : wide;
}

// Reads the children of all parents. The children identify a renamed parent, because no file
// contains its former name.
const withAllParents = ({ kinds, parents }: ReadScope): ReadScope => ({
  kinds,
  parents: new Map([...parents.keys()].map(kind => [kind, 'all'] as const)),
});

// Adds the kinds of objects that unfinished applies wrote, even if no file declares an object of these kinds.
function withLeftKinds(scope: ReadScope, left: LeftObjects, kinds: KindTable): ReadScope {
  const unfinished = [...left.made, ...left.leftInGone].filter(({ isLeft }) => isLeft);
  const made = [...unfinished, ...(left.withEnds ?? [])].map(({ kind }) => kind);
  const written = left.written.flatMap(({ plan }) =>
    plan.actions.flatMap(action => (action.verb === 'create' ? [] : writtenKinds(action, kinds))),
  );
  const known = new Set([...made, ...written].filter(kind => kinds.has(kind)));
  // Reads the lists in all parents. If some were left out, an object that moved to one of them
  // would look deleted.
  const nested = [...known].filter(kind => kinds.get(kind)?.parent !== undefined);
  const above = nested.flatMap(kind => kinds.get(kind)?.parent ?? []);
  const naming = [...known].flatMap(name => {
    const kind = kinds.get(name);
    const paths = kind?.identity.flat() ?? [];
    const fields = paths.map(path => path.split('.')[0]);
    return kind ? refsIn(kind, fields) : [];
  });
  return {
    kinds: new Set([...scope.kinds, ...known, ...above, ...naming]),
    parents: new Map([...scope.parents, ...nested.map(kind => [kind, 'all'] as const)]),
  };
}

// The kinds of the members of sets. A plan shows the names of members that it removes from a set,
// and only the account contains these names. If the plan replaces a whole set, the names are not
// needed.
function writtenKinds(action: Action, kinds: KindTable): readonly KindName[] {
  const kind = kinds.get(action.kind);
  if (!kind || action.verb !== 'update') return [action.kind];
  const exact = Object.keys(action.fields).filter(name => kind.shape.fields.get(name)?.shared);
  return [action.kind, ...refsIn(kind, exact)];
}

const refsIn = ({ shape }: Kind, fields: readonly (string | undefined)[]): readonly KindName[] =>
  fields.flatMap(name => {
    const field = shape.fields.get(name ?? '');
    return field ? [...refsOfShape(field.shape)] : [];
  });
