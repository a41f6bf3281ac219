// The picture of a state, or of the part of a state to which a question is limited.
import type { AccessPicture, ComparedPictures } from '../../model/access/accessPicture.ts';
import { type AccessQuestion, unreadText } from '../ask/answer.ts';
import { targetsOf } from '../ask/destinations.ts';
import { detoursTo } from '../ask/detours.ts';
import { askedOf } from '../ask/members.ts';
import type { Selector } from '../ask/selector.ts';
import { type Reaches, reachesIn, reachesOf } from '../flows/reaches.ts';
import { rowPool } from '../sets/rowPool.ts';
import type { AccessState } from '../state/accessState.ts';
import { frameOf, worldOf } from '../world/world.ts';
import { namesIn, withCommonNames } from './commonNames.ts';
import { comparedMatrices, type MatrixScope, matrixOf } from './matrix.ts';
import { networkPictures } from './networkPictures.ts';
import { openingPictures } from './openingPictures.ts';
import { pictureChanges } from './pictureChanges.ts';
import { policyPictures } from './policyPictures.ts';

/** The picture of everything in a state. */
export function accessPicture(state: AccessState): AccessPicture {
  return pictured(reachesIn(state), {});
}

/**
 * The pictures of two compared states. Their matrices have the same rows and columns, and all
 * objects have their names in the later state.
 */
export function comparedPictures(before: AccessState, after: AccessState): ComparedPictures {
  const { first, last } = frameOf(before, after);
  const pool = rowPool();
  const names = namesIn(before, after);
  const reaches = [reachesOf(first, pool), reachesOf(last, pool)] as const;
  const { cells, ...matrices } = comparedMatrices(...reaches, names);
  const outline = withCommonNames(accessOutline(before, first), before, after);
  return {
    before: { matrix: matrices.before, ...outline },
    after: { matrix: matrices.after, ...accessOutline(after, last) },
    changes: pictureChanges(cells, names),
  };
}

/** The picture of a state, with rows and columns limited to a question; or the selectors of the question that match nothing. */
export function pictureOf(
  state: AccessState,
  { from, to }: Pick<AccessQuestion, 'from' | 'to'>,
): AccessPicture | { readonly unknown: Selector } {
  const reaches = reachesIn(state);
  const { world } = reaches;
  const sources = from && askedOf(world, from);
  if (from !== undefined && sources === undefined) return { unknown: from };
  const targets = to && targetsOf(world, to);
  if (to !== undefined && targets === undefined) return { unknown: to };
  return pictured(reaches, { sources, targets, detours: to && detoursTo([world], to) });
}

function pictured(reaches: Reaches, scope: MatrixScope): AccessPicture {
  const { world } = reaches;
  return { matrix: matrixOf(reaches, scope), ...accessOutline(world.state, world) };
}

/**
 * The picture without its matrix: only policies, networks and openings. This is enough for a
 * drawing of a state.
 */
export function accessOutline(
  state: AccessState,
  world = worldOf(state),
): Omit<AccessPicture, 'matrix'> {
  return {
    policies: policyPictures(world),
    networks: networkPictures(world),
    openings: openingPictures(world),
    unread: unreadText(state),
  };
}
