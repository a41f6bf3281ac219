// The positions in files of the objects that cause a line to fail: the rule that grants a forbidden
// flow, or the object that prevents a required flow.
import type { FailedLine, TestVerdict } from '../../model/access/accessTest.ts';
import type {
  AccessFlow,
  AccessGrant,
  AccessMiss,
  Deciding,
} from '../../model/access/planAccess.ts';
import type { Span } from '../../model/diagnostic.ts';
import type { Desired } from '../../model/object.ts';
import { pointer } from '../../model/text/pointer.ts';
import { isList, isObject } from '../../model/value.ts';
import { SERVICE } from '../state/services.ts';

/** Returns the position of an object or rule; undefined if no file declares it. */
type PlaceOf = (deciding: Deciding) => Span | undefined;

/**
 * The verdicts, with the positions of the objects that cause their failures. `desired`: the objects
 * in the form of the server.
 */
export function withPlaces(
  verdicts: readonly TestVerdict[],
  desired: () => readonly Desired[],
): readonly TestVerdict[] {
  if (verdicts.every(({ failures }) => failures.length === 0)) return verdicts;
  const placeOf = placesIn(desired());
  return verdicts.map(verdict => ({
    ...verdict,
    failures: verdict.failures.map(failure => placed(failure, placeOf)),
  }));
}

function placesIn(desired: readonly Desired[]): PlaceOf {
  const known = new Map(desired.map(one => [nameIn(one), one]));
  return ({ kind, key, rule }) => {
    const found = known.get(nameIn({ kind, key }));
    return found && (rule === undefined ? found.at : ruleIn(found, rule));
  };
}

const nameIn = ({ kind, key }: { readonly kind: string; readonly key: string }): string =>
  `${kind} ${key}`;

function ruleIn({ fields: { rules }, spans, at }: Desired, name: string): Span {
  const index = isList(rules) ? rules.findIndex(rule => isObject(rule) && rule.name === name) : -1;
  return spans[pointer(['rules', String(index)])] ?? at;
}

const placed = ({ flows, misses, ...failure }: FailedLine, placeOf: PlaceOf): FailedLine => ({
  ...failure,
  flows: flows.map(flow => placedFlow(flow, placeOf)),
  misses: misses.map(miss => placedMiss(miss, placeOf)),
});

const placedFlow = (flow: AccessFlow, placeOf: PlaceOf): AccessFlow => ({
  ...flow,
  via: flow.via.map(grant => {
    const by = decidingOf(grant);
    const at = by && placeOf(by);
    return at ? { ...grant, at } : grant;
  }),
});

function placedMiss(miss: AccessMiss, placeOf: PlaceOf): AccessMiss {
  const at = miss.by && placeOf(miss.by);
  return at ? { ...miss, at } : miss;
}

// A route is left out, because its network id does not identify it.
function decidingOf({ policy, rule, ingress_port, service }: AccessGrant): Deciding | undefined {
  if (policy !== undefined)
    return { kind: 'policy', key: policy, ...(rule !== undefined && { rule }) };
  if (ingress_port !== undefined) return { kind: 'ingress_port_allocation', key: ingress_port };
  return service === undefined ? undefined : { kind: SERVICE, key: service };
}
