// Restores the objections of gates in a plan that was saved by a version without `access_findings`, from the texts in that plan.
import { testFindings } from '../../model/access/accessFindings.ts';
import type { AccessFinding, AccessGates, AccessHazard } from '../../model/access/accessGates.ts';
import { allowance } from '../../model/allowance.ts';

/** The gates as such versions saved them. */
interface FormerGates extends Omit<AccessGates, 'findings'> {
  readonly hazards: readonly AccessHazard[];
  readonly newAccess: readonly string[];
}

/** The findings of a saved plan. */
export function formerFindings(gates: FormerGates): readonly AccessFinding[] {
  const { tests, hazards, newAccess } = gates;
  return [
    ...(tests ? testFindings(tests) : []),
    ...hazards.flatMap(hazard =>
      hazard.target === undefined
        ? ofThreshold(hazard, gates)
        : ofGuarded(hazard, hazard.target, gates),
    ),
    ...newAccess.map(ofNewAccess),
  ];
}

const accepted = ({ allowed }: AccessHazard) => (allowed ? ({ allowed_by: 'plan' } as const) : {});

function ofThreshold(hazard: AccessHazard, { guards }: FormerGates): AccessFinding {
  const { code, pairs, flows } = hazard;
  const what = code === 'WIDENS_ACCESS' ? 'gained' : 'lost';
  const finding = { gate: 'thresholds', code, pairs, causes: [], ...accepted(hazard) } as const;
  const [unread] = flows;
  if (unread !== undefined) return { ...finding, what: 'unread', detail: unread };
  return { ...finding, what, limit: guards?.thresholds?.[what] ?? 0 };
}

// The findings about guarded targets. These findings had the same codes as thresholds.
function ofGuarded(
  hazard: AccessHazard,
  target: string,
  { guards }: FormerGates,
): readonly AccessFinding[] {
  const { code, flows, pairs } = hazard;
  const entry = guards?.guarded.find(one => one.to === target && one.from !== undefined);
  const from = code === 'CUTS_GUARDED_ACCESS' ? entry?.from : undefined;
  const finding = {
    gate: 'guarded',
    code: (allowance(`${code}=${target}`)?.code ?? code) as AccessHazard['code'],
    target,
    ...(from !== undefined && { from }),
    causes: [],
    ...accepted(hazard),
  } as const;
  const what = code === 'WIDENS_ACCESS' ? 'gained' : 'lost';
  return flows.map((flow, at): AccessFinding => {
    const counted = { ...finding, pairs: at === 0 ? pairs : 0 };
    const sides = sidesOf(flow);
    return sides === undefined
      ? { ...counted, what: 'unread', detail: flow }
      : { ...counted, what, ...sides };
  });
}

const UNREAD = 'there may be more: ';

function ofNewAccess(text: string): AccessFinding {
  const finding = { gate: 'no_new_access', causes: [] } as const;
  if (text.startsWith(UNREAD))
    return { ...finding, what: 'unread', detail: text.slice(UNREAD.length) };
  const [flow = '', ...ports] = text.split('  ');
  const sides = sidesOf(flow);
  if (sides) return { ...finding, what: 'gained', ...sides, detail: ports.join('  ') };
  const [who = '', ...message] = text.split(': ');
  return { ...finding, what: 'right', who, detail: message.join(': ') };
}

function sidesOf(flow: string): Pick<AccessFinding, 'who' | 'where'> | undefined {
  const at = flow.indexOf(' → ');
  return at < 0 ? undefined : { who: flow.slice(0, at), where: flow.slice(at + 3) };
}
