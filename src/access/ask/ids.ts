// The ids of the sources, destinations and grants of a flow. A name can change, but an id of the
// server does not. An object that only files declare has no id, so its name is used.
import { accessName } from '../../model/access/accessName.ts';
import {
  type AccessObject,
  type AccessParty,
  type AccessPartyIds,
  lastingId,
} from '../../model/access/planAccess.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import type { RoutedTarget, Target } from '../flows/targets.ts';
import { and, type Bits, bitsOf, indexesIn } from '../sets/bits.ts';
import type { InternetPort, Named } from '../state/accessState.ts';
import { namesOf } from '../world/roster.ts';
import type { World } from '../world/world.ts';
import type { Grant } from './grants.ts';

/** Finds the ids of objects in one state. */
export interface Ids {
  /** The ids of the sources that the answer calls by this name. */
  readonly ofSources: (sources: Bits, named: AccessParty) => AccessPartyIds;
  /** The ids of the destination that the answer calls by this name. */
  readonly ofTargets: (
    targets: readonly [Target, ...Target[]],
    named: AccessParty,
  ) => AccessPartyIds;
  /** The ids of the policies, routes, services and ports that grant a flow. */
  readonly ofGrants: (grants: readonly Grant[]) => readonly AccessObject[];
}

/** Returns a function that finds ids in a state. */
export function idsIn(world: World): Ids {
  const members = memberObjects(world);
  const groups = new Map(
    world.state.groups.map(group => {
      const object = objectOf('group', group);
      return [object.name, object];
    }),
  );
  const listed = (bits: Bits) => distinct([...indexesIn(bits)].flatMap(at => members[at] ?? []));
  const ofMembers = (bits: Bits, { name }: AccessParty): AccessPartyIds => {
    const group = groups.get(name);
    const machines = listed(and(bits, world.today)).map(lastingId);
    return { objects: group === undefined ? listed(bits) : [group], machines };
  };
  return {
    ofSources: ofMembers,
    ofTargets: ([first, ...others], named) => {
      if (first.type !== 'machine') return { objects: routedObjects(first), machines: [] };
      const indexes = [first, ...others].flatMap(one => (one.type === 'machine' ? one.index : []));
      return ofMembers(bitsOf(indexes), named);
    },
    ofGrants: grantObjects,
  };
}

/**
 * The ids of all members of compared states, by index. If several states have a member, its id is
 * that of the last of these states.
 */
export function memberIdsIn(worlds: readonly World[]): readonly string[] {
  const found = worlds.map(memberObjects).reverse();
  const [last = []] = found;
  return last.map((object, at) => {
    const known = found.flatMap(objects => objects[at] ?? []);
    return lastingId(known.find(({ kind }) => kind !== OUTSIDERS) ?? object);
  });
}

/** An object of a kind with its id, if it has one. */
export const objectOf = (kind: string, { id, key }: Named): AccessObject => ({
  kind,
  name: accessName(kind, key),
  ...(id !== undefined && { id }),
});

function distinct(objects: readonly AccessObject[]): readonly AccessObject[] {
  const text = (object: AccessObject) => `${object.kind} ${lastingId(object)}`;
  const found = new Map(objects.map(object => [text(object), object]));
  return [...found].sort(([one], [other]) => compareTexts(one, other)).map(([, object]) => object);
}

/** The kind for sources that are not objects. */
const OUTSIDERS = 'outsiders';

// The objects of members, by the index of the member. Outsiders, such as the internet, are not objects and have only a name.
function memberObjects({ state, positions, members }: World): readonly AccessObject[] {
  const objects = members.map(({ key }): AccessObject => ({ kind: OUTSIDERS, name: key }));
  const note = (named: Named, type: keyof typeof positions, kind: string) => {
    const index = positions[type].get(namesOf(named).at(-1) ?? named.key);
    if (index !== undefined) objects[index] = objectOf(kind, named);
  };
  for (const machine of state.machines) note(machine, 'machine', 'peer');
  for (const group of state.groups) note(group, 'group', 'group');
  for (const enrolment of state.enrolments) note(enrolment, enrolment.by, enrolment.by);
  return objects;
}

/** The network resources and routes of a target. */
export function routedObjects({ resources, routes }: RoutedTarget): readonly AccessObject[] {
  return distinct([
    ...resources.map(({ resource }) => objectOf('network_resource', resource)),
    ...routes.map(route => objectOf('route', route)),
  ]);
}

/** The policies, routes, services and ports behind grants. */
export const grantObjects = (grants: readonly Grant[]): readonly AccessObject[] =>
  distinct(grants.flatMap(objectsOfGrant));

function objectsOfGrant({ compiled, openRoute }: Grant): readonly AccessObject[] {
  if (openRoute !== undefined) return [objectOf('route', openRoute)];
  if (compiled === undefined) return [];
  const { internetPort, policy } = compiled;
  return [internetPort === undefined ? objectOf('policy', policy) : openerOf(internetPort)];
}

// A service opens many ports. The ports are not objects, so the service is named.
const openerOf = (port: InternetPort): AccessObject =>
  port.service === undefined
    ? objectOf('ingress_port_allocation', port.of ?? port)
    : objectOf('proxy_service', { key: port.service });
