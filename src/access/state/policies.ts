// Policies and their rules, and posture checks.
import { type Fields, isObject, type Json } from '../../model/value.ts';
import type { Policy, PortRange, PostureCheck, Protocol, Rule, Side } from './accessState.ts';
import {
  flagIn,
  keyText,
  namedBy,
  objectsIn,
  optionalText,
  type StateObject,
  textIn,
  textsIn,
} from './stateObject.ts';

/** The prefix in the names of policies that the server creates for temporary access. */
const TEMPORARY = 'Temporary access policy for peer ';

/** A policy. */
export function policyOf(object: StateObject): Policy {
  const { fields } = object;
  return {
    ...namedBy(object),
    isEnabled: flagIn(fields, 'enabled', true),
    checks: textsIn(fields, 'source_posture_checks'),
    rules: objectsIn(fields, 'rules').map(ruleOf),
    isTemporary: textIn(fields, 'name').startsWith(TEMPORARY),
  };
}

/** A posture check. */
export function postureCheckOf(object: StateObject): PostureCheck {
  const { checks } = object.fields;
  return { ...namedBy(object), checks: isObject(checks) ? checks : null };
}

function ruleOf(rule: Fields): Rule {
  const id = optionalText(rule, 'id');
  return {
    name: textIn(rule, 'name'),
    ...(id && { id }),
    isEnabled: flagIn(rule, 'enabled', true),
    isDrop: optionalText(rule, 'action') === 'drop',
    isBidirectional: flagIn(rule, 'bidirectional', false),
    protocol: protocolOf(textIn(rule, 'protocol')),
    ports: textsIn(rule, 'ports'),
    ranges: objectsIn(rule, 'port_ranges').flatMap(rangeOf),
    source: sideOf(rule.sourceResource, rule, 'sources'),
    destination: sideOf(rule.destinationResource, rule, 'destinations'),
  };
}

function protocolOf(text: string): Protocol {
  switch (text) {
    case 'tcp':
    case 'udp':
    case 'icmp':
    case 'netbird-ssh':
      return text;
    default:
      return 'all';
  }
}

function rangeOf({ start, end }: Fields): PortRange[] {
  return typeof start === 'number' && typeof end === 'number' ? [{ start, end }] : [];
}

function sideOf(single: Json | undefined, rule: Fields, groups: string): Side {
  if (isObject(single)) {
    const machine = keyText(single.peer);
    if (machine !== undefined) return { type: 'machine', machine };
    const resource = keyText(single.network_resource);
    if (resource !== undefined) return { type: 'resource', resource };
  }
  return { type: 'groups', groups: textsIn(rule, groups) };
}
