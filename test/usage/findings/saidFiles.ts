// What findings say, applied to a drawn account by hand: the witness of what is written into files.
import type { TightenFinding } from '../../../src/model/tightening.ts';
import type { DrawnFiles, DrawnPolicy, DrawnRoute, DrawnRule } from './drawnAccount.ts';

type Files = Pick<DrawnFiles, 'policies' | 'routes'>;

/** The policies and routes with all that these findings propose. */
export function saidFiles(files: Files, findings: readonly TightenFinding[]): Files {
  return {
    policies: files.policies.flatMap(policy => policyAfter(policy, about(policy, findings))),
    routes: files.routes.flatMap(route => routeAfter(route, about(route, findings))),
  };
}

const about = (one: DrawnPolicy | DrawnRoute, findings: readonly TightenFinding[]) =>
  findings.filter(({ object: { key } }) => key === one.name || key.startsWith(`${one.name} `));

function policyAfter(policy: DrawnPolicy, findings: readonly TightenFinding[]): DrawnPolicy[] {
  const rules = policy.rules.flatMap(rule => {
    const own = findings.filter(({ object }) => (object.rule ?? rule.name) === rule.name);
    const left = own.reduce<DrawnRule | undefined>(ruleAfter, rule);
    return left ? [left] : [];
  });
  return rules.length > 0 ? [{ ...policy, rules }] : [];
}

function routeAfter(route: DrawnRoute, findings: readonly TightenFinding[]): DrawnRoute[] {
  if (findings.some(({ type }) => type === 'unused-route')) return [];
  const gone = findings.map(({ what }) => groupIn(what));
  return [{ ...route, accessControl: route.accessControl.filter(group => !gone.includes(group)) }];
}

// A rule of which nothing is left is gone.
function ruleAfter(
  rule: DrawnRule | undefined,
  { type, what, edit }: TightenFinding,
): DrawnRule | undefined {
  if (rule === undefined) return undefined;
  const { sources, destinations, ports, ranges } = rule;
  switch (type) {
    case 'unused-policy':
    case 'unused-rule':
    case 'duplicate-rule':
      return undefined;
    case 'unused-source-group': {
      const left = sources.filter(group => group !== groupIn(what));
      return left.length > 0 ? { ...rule, sources: left } : undefined;
    }
    case 'unused-destination-group': {
      const left = destinations.filter(group => group !== groupIn(what));
      return left.length > 0 || rule.resource ? { ...rule, destinations: left } : undefined;
    }
    case 'unused-reverse':
      return { ...rule, isBidirectional: false };
    case 'few-resources':
      return { ...rule, destinations: [], resource: edit.replace('keep ', '') };
    case 'wide-protocol': {
      const [protocol = '', ...listed] = edit.replace('keep ', '').split(/,? /);
      return { ...rule, protocol, ports: listed };
    }
    case 'unused-port':
    case 'wide-range': {
      const [gone] = rangesIn(what.replace(/ports? /, ''));
      const isGone = ({ start, end }: Range) => start === gone?.start && end === gone.end;
      const left = {
        ports: ports.filter(port => !isGone({ start: Number(port), end: Number(port) })),
        ranges: ranges.flatMap(range => (isGone(range) ? rangesLeft(edit) : range)),
      };
      const isOpened = left.ports.length + left.ranges.length === 0;
      return isOpened ? undefined : { ...rule, ...left };
    }
    default:
      throw new Error(`a finding about a rule: ${type}`);
  }
}

type Range = DrawnRule['ranges'][number];

const groupIn = (what: string): string => what.replace(/^.*group\//, '');

const rangesLeft = (edit: string): readonly Range[] =>
  edit === 'remove' ? [] : rangesIn(edit.replace('keep ', ''));

const rangesIn = (text: string): readonly Range[] =>
  text.split(', ').map(one => {
    const [start = '', end = start] = one.split('-');
    return { start: Number(start), end: Number(end) };
  });
