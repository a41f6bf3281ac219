// Names for the objects of two states that are compared. A renamed object has its later name in both states.
import { accessName } from '../../model/access/accessName.ts';
import type {
  AccessPicture,
  AddressPicture,
  MatrixVerdict,
  RuleSide,
} from '../../model/access/accessPicture.ts';
import { checksText } from '../posture/sameChecks.ts';
import type { AccessState, Named } from '../state/accessState.ts';
import { namesOf } from '../world/roster.ts';
import type { VerdictTable } from './verdictTable.ts';

/** Returns the names of a state's objects. */
export interface NameOf {
  readonly key: (type: ObjectType, key: string) => string;
  /** A selector, such as `group/on-call`. */
  readonly selector: (type: ObjectType, key: string) => string;
}

export interface NameIn {
  readonly before: NameOf;
  readonly after: NameOf;
}

type ObjectType =
  | 'group'
  | 'peer'
  | 'policy'
  | 'posture_check'
  | 'network'
  | 'network_resource'
  | 'route';

const LISTS: Readonly<Record<ObjectType, (state: AccessState) => readonly Named[]>> = {
  group: ({ groups }) => groups,
  peer: ({ machines }) => machines,
  policy: ({ policies }) => policies,
  posture_check: ({ checks }) => checks,
  network: ({ networks }) => networks,
  network_resource: ({ networks }) => networks.flatMap(({ resources }) => resources),
  route: ({ routes }) => routes.map(({ networkId, id }) => ({ key: networkId, ...(id && { id }) })),
};

const TYPES = Object.keys(LISTS) as ObjectType[];

/** The suffix for the earlier of two objects with the same name. */
const FORMER = ' (before the plan)';

/** The names of both states. */
export function namesIn(before: AccessState, after: AccessState): NameIn {
  const renamed = new Map(
    TYPES.map(type => [type, renamedIn(LISTS[type](before), LISTS[type](after))]),
  );
  const edited = editedChecks(before, after);
  const named = (key: NameOf['key']): NameOf => ({
    key,
    selector: (type, name) => accessName(type, key(type, name)),
  });
  return {
    before: named((type, key) => {
      const name = renamed.get(type)?.get(key) ?? key;
      return type === 'posture_check' && edited.has(key) ? `${name}${FORMER}` : name;
    }),
    after: named((_, key) => key),
  };
}

/**
 * The keys of posture checks whose conditions differ in the later state. Such a check is one
 * object, but its earlier definition gets another name.
 */
function editedChecks(before: AccessState, after: AccessState): ReadonlySet<string> {
  const later = new Map(after.checks.flatMap(one => namesOf(one).map(name => [name, one])));
  const edited = before.checks.filter(one => {
    const found = later.get(namesOf(one).at(-1) ?? one.key);
    return found !== undefined && checksText(one.checks) !== checksText(found.checks);
  });
  return new Set(edited.map(({ key }) => key));
}

/** The later names of renamed objects, and substitute names for objects whose name another object takes over. */
function renamedIn(before: readonly Named[], after: readonly Named[]): ReadonlyMap<string, string> {
  const later = new Map(
    after.flatMap(({ id, key }) => (id === undefined ? [] : [[id, key] as const])),
  );
  const renamed = new Map<string, string>();
  for (const { id, key } of before) {
    const name = id === undefined ? undefined : later.get(id);
    if (name !== undefined && name !== key) renamed.set(key, name);
  }
  const taken = new Set(renamed.values());
  for (const { key } of before)
    if (!renamed.has(key) && taken.has(key)) renamed.set(key, `${key}${FORMER}`);
  return renamed;
}

/** A verdict in which objects have these names. */
function namedVerdict(verdict: MatrixVerdict, { key }: NameOf): MatrixVerdict {
  if (!('via' in verdict)) return verdict;
  return {
    ...verdict,
    checks: verdict.checks.map(check => key('posture_check', check)),
    via: verdict.via.map(({ policy, ...grant }) => ({
      ...(policy !== undefined && { policy: key('policy', policy) }),
      ...grant,
    })),
  };
}

type Outline = Omit<AccessPicture, 'matrix'>;

/** A picture of the earlier state, with the names of the later state. */
export function withCommonNames(
  outline: Outline,
  before: AccessState,
  after: AccessState,
): Outline {
  const { before: nameOf } = namesIn(before, after);
  const byName = new Map(
    TYPES.flatMap(type =>
      LISTS[type](before).map(
        ({ key }) => [accessName(type, key), nameOf.selector(type, key)] as const,
      ),
    ),
  );
  const named = <T extends { readonly name: string }>(one: T): T => ({
    ...one,
    name: byName.get(one.name) ?? one.name,
  });
  const namedSide = ({ around, ...side }: RuleSide): RuleSide => ({
    ...named(side),
    ...(around && { around: around.map(named<AddressPicture>) }),
  });
  const groups = (names: readonly string[]) => names.map(name => byName.get(name) ?? name);
  return {
    ...outline,
    policies: outline.policies.map(policy => ({
      ...policy,
      name: nameOf.key('policy', policy.name),
      object: nameOf.selector('policy', policy.name),
      checks: policy.checks.map(check => nameOf.key('posture_check', check)),
      rules: policy.rules.map(rule => ({
        ...rule,
        from: rule.from.map(namedSide),
        to: rule.to.map(namedSide),
      })),
    })),
    networks: outline.networks.map(network => ({
      ...named(network),
      routers: network.routers.map(named),
      resources: network.resources.map(({ receivers, around, ...resource }) => ({
        ...named(resource),
        groups: groups(resource.groups),
        ...(receivers && { receivers: receivers.map(named<RuleSide>) }),
        ...(around && { around: around.map(named<AddressPicture>) }),
      })),
    })),
    openings: outline.openings.map(opening => ({ ...opening, to: named(opening.to) })),
  };
}

/** A table whose verdicts use these names; the same table if no names are given. */
export function namedTable(table: VerdictTable, nameOf: NameOf | undefined): VerdictTable {
  if (nameOf === undefined) return table;
  const numberOf = (one: MatrixVerdict) => table.numberOf(namedVerdict(one, nameOf));
  return { ...table, numberOf };
}
