// Converts narrowings to edits of the files. All narrowings of a rule become a single edit, and no
// rule becomes wider because a list becomes empty.
import type { Desired } from '../../model/object.ts';
import type { ObjectEdit } from '../../model/objectEdit.ts';
import { type Fields, isList, isObject, type Json, listOf } from '../../model/value.ts';
import type { Narrowing, RouteNarrowing, RuleNarrowing } from './narrowing.ts';

/** The edits for these narrowings. */
export function editsOf(narrowings: readonly Narrowing[]): readonly ObjectEdit[] {
  const ofRules = narrowings.filter(one => 'rule' in one);
  const ofRoutes = narrowings.filter(one => 'route' in one);
  const policies = Map.groupBy(ofRules, ({ rule }) => rule.whole);
  const routes = Map.groupBy(ofRoutes, ({ route }) => route.object);
  return [
    ...[...policies].flatMap(([policy, own]) => policyEdits(policy, own)),
    ...[...routes].map(([object, own]) => routeEdit(object, own)),
  ];
}

function policyEdits(policy: Desired, narrowings: readonly RuleNarrowing[]): ObjectEdit[] {
  const rules = listOf(policy.fields.rules);
  const edits = [...Map.groupBy(narrowings, ({ rule }) => rule.index)].map(
    ([index, own]): ObjectEdit => {
      const rule = rules[index];
      const left = narrowed(isObject(rule) ? rule : {}, own);
      const path = ['rules', String(index)];
      return { object: policy, path, ...(left && { fields: left }) };
    },
  );
  const removed = edits.filter(({ fields }) => fields === undefined);
  // A policy needs at least one rule, so it is removed with its last rule.
  return removed.length === rules.length ? [{ object: policy, path: [] }] : edits;
}

// The changed fields of a rule; null if the rule would no longer accept anything.
function narrowed(rule: Fields, narrowings: readonly RuleNarrowing[]): ObjectEdit['fields'] | null {
  const now: Record<string, Json | undefined> = {};
  const at = (name: string) => (name in now ? now[name] : rule[name]);
  // Groups are removed from the list before a single network resource replaces the list.
  const ordered = narrowings.toSorted(
    (one, other) => Number(takesPlace(one)) - Number(takesPlace(other)),
  );
  for (const one of ordered) {
    if (one.takes === 'rule') return null;
    if (one.takes === 'reverse') now.bidirectional = false;
    else if (one.takes === 'source-group') {
      now.sources = without(at('sources'), one.group);
      const users = at('authorized_groups');
      if (isObject(users) && one.group in users)
        now.authorized_groups = Object.fromEntries(
          Object.entries(users).filter(([group]) => group !== one.group),
        );
    } else if (one.takes === 'destination-group')
      now.destinations = without(at('destinations'), one.group);
    else if (one.takes === 'port')
      now.ports = listOf(at('ports')).filter(port => Number(port) !== Number(one.port));
    else if (one.takes === 'range')
      now.port_ranges = listOf(at('port_ranges')).flatMap(range =>
        isObject(range) && range.start === one.range.start && range.end === one.range.end
          ? one.to.map(({ start, end }): Json => ({ start, end }))
          : [range],
      );
    else if (one.takes === 'traffic') {
      now.protocol = one.protocol;
      if (one.ports.length > 0) now.ports = [...one.ports];
    } else {
      now.destinations = undefined;
      now.destinationResource = { network_resource: one.resource };
    }
  }
  // A rule without ports accepts every port.
  const portless = ['ports', 'port_ranges'].filter(name => isGone(rule[name], now[name]));
  const isOpened = portless.some(name => name in now) && isWithoutPorts(rule, now);
  const isNobody = ['sources', 'destinations'].some(name => isGone(rule[name], now[name]));
  return isOpened || isNobody ? null : now;
}

const takesPlace = ({ takes }: RuleNarrowing): boolean => takes === 'other-resources';

const isGone = (was: Json | undefined, is: Json | undefined): boolean =>
  listOf(was).length > 0 && isList(is) && is.length === 0;

function isWithoutPorts(rule: Fields, now: Readonly<Record<string, Json | undefined>>): boolean {
  return ['ports', 'port_ranges'].every(
    name => listOf(name in now ? now[name] : rule[name]).length === 0,
  );
}

function routeEdit(object: Desired, narrowings: readonly RouteNarrowing[]): ObjectEdit {
  let groups = object.fields.access_control_groups;
  for (const one of narrowings) {
    if (one.takes === 'whole-route') return { object, path: [] };
    groups = without(groups, one.group);
  }
  return { object, path: [], fields: { access_control_groups: groups } };
}

const without = (list: Json | undefined, name: string): Json[] =>
  listOf(list).filter(item => item !== name);
