// Views of the findings of the gates about a plan: hazards, refused access, and whether the plan may be applied.
import { quoted, visible } from '../text/visible.ts';
import type { AccessFinding, AccessHazard, AccessHazardCode, PlannedTests } from './accessGates.ts';
import { selectorText } from './accessName.ts';
import type { AccessTest, FailedLine } from './accessTest.ts';
import { rightText } from './planAccess.ts';

type Findings = readonly AccessFinding[];

/** A finding that a person can accept. */
export type AcceptableFinding = AccessFinding & { readonly code: AccessHazardCode };

/** Whether a person can accept a finding. */
export const isAcceptable = (finding: AccessFinding): finding is AcceptableFinding =>
  finding.code !== undefined;

/** The hazards of findings: one for each threshold and each guarded target. */
export function hazardsIn(findings: Findings): readonly AccessHazard[] {
  return [...hazardGroups(findings).values()].map(hazardOf);
}

/**
 * The hazards in findings, each with its reason. `unread` names the lists that could not be read, so that the hazard cannot be
 * judged.
 */
export function hazardsWithReason(
  findings: Findings,
): readonly (AccessHazard & { readonly unread?: string })[] {
  return [...hazardGroups(findings).values()].map(own => {
    const unread = own.find(({ what }) => what === 'unread')?.detail;
    return { ...hazardOf(own), ...(unread !== undefined && { unread }) };
  });
}

/** The findings grouped by hazard. The key is `hazardName`. */
export function hazardGroups(
  findings: Findings,
): ReadonlyMap<string, readonly AcceptableFinding[]> {
  return Map.groupBy(findings.filter(isAcceptable), hazardName);
}

/** A text that identifies a hazard: it is equal for all findings of that hazard. */
export const hazardName = ({ code, target, from }: AcceptableFinding): string =>
  [code, target, from].map(part => JSON.stringify(part)).join(' ');

/** The new access that makes `--no-new-access` refuse a plan. */
export function newAccessIn(findings: Findings): readonly string[] {
  return findings.filter(({ gate }) => gate === 'no_new_access').map(newAccessText);
}

/** The findings about failed lines of access tests. `causesOf` returns the changes of the plan that make a line fail. */
export function testFindings(
  { tests, verdicts = [] }: PlannedTests,
  causesOf: (test: AccessTest, failed: FailedLine) => readonly string[] = () => [],
): Findings {
  return verdicts.flatMap(({ name, failures }, at) =>
    failures.map((failed): AccessFinding => {
      const { line, selector, unknown, flows } = failed;
      const [flow] = flows;
      const test = tests[at];
      const from = test?.from?.text;
      const who = flow?.from.name ?? (from === undefined ? undefined : selectorText(from));
      return {
        gate: 'tests',
        what: unknown ? 'unread' : 'test',
        ...(who !== undefined && { who }),
        where: flow?.to.name ?? selector,
        detail: `${line} of ${quoted(name)}`,
        causes: test === undefined ? [] : causesOf(test, failed),
      };
    }),
  );
}

/** `group/laptops → peer/db`. */
export const flowText = ({ who = '', where = '' }: Pick<AccessFinding, 'who' | 'where'>): string =>
  `${who} → ${where}`;

function newAccessText({ what, who = '', where, detail = '' }: AccessFinding): string {
  if (what === 'unread') return `there may be more: ${detail}`;
  if (what === 'right') return visible(rightText({ object: who, message: detail }));
  return visible(`${flowText({ who, ...(where !== undefined && { where }) })}  ${detail}`);
}

function hazardOf(own: readonly AcceptableFinding[]): AccessHazard {
  const [first] = own as [AcceptableFinding];
  const { code, target } = first;
  const isCount = first.gate === 'thresholds';
  const flows = own.flatMap(one =>
    one.what === 'unread' ? (one.detail ?? '') : isNumber(one) ? [] : subjectText(one),
  );
  return {
    code,
    ...(target !== undefined && { target }),
    message: isCount ? own.map(thresholdText).join('; ') : textOf(own),
    flows,
    pairs: own.reduce((sum, { pairs = 0 }) => sum + pairs, 0),
    allowed: own.every(one => one.allowed_by !== undefined),
  };
}

function textOf(own: readonly AcceptableFinding[]): string {
  const [{ gate, what }] = own as [AcceptableFinding];
  if (gate === 'use') return useText(own);
  return what === 'left' ? leftText(own) : guardText(own);
}

function useText(own: readonly AcceptableFinding[]): string {
  const [{ what, detail = '' }] = own as [AcceptableFinding];
  if (what === 'unread')
    return `whether the plan removes access that is in use is not known: ${detail}`;
  const some = own.slice(0, SHOWN).map(one => visible(flowText(one)));
  const others = own.length > SHOWN ? ` and ${own.length - SHOWN} more` : '';
  return `the plan removes access that is in use: it would have stopped ${detail}: ${some.join(', ')}${others}`;
}

// The subject of a finding. If the plan removes an object from a guarded target (`left`), only the object is shown: no access is
// lost.
const subjectText = (finding: AccessFinding): string =>
  finding.what === 'left' ? (finding.who ?? '') : flowText(finding);

function leftText(own: readonly AcceptableFinding[]): string {
  const [{ code, target = '', where = '', detail }] = own as [AcceptableFinding];
  const some = own.slice(0, SHOWN).map(({ who = '' }) => visible(who));
  const others = own.length > SHOWN ? ` and ${own.length - SHOWN} more` : '';
  const what = `the plan takes ${some.join(', ')}${others} out of`;
  return code === 'EMPTIES_ACCESS_TEST'
    ? `${what} ${selectorText(where)}, so that the access test ${quoted(target)} no longer covers anything that it covered`
    : `${what} ${selectorText(target)}, which is guarded: a later plan could then open access to what the guard no longer covers${detail === undefined ? '' : `; ${detail}`}`;
}

// Whether a finding is about a threshold. A threshold counts pairs; the parties that the finding shows are only examples.
const isNumber = ({ limit }: AccessFinding): boolean => limit !== undefined;

function thresholdText(finding: AcceptableFinding): string {
  const { what, code, who, detail = '', pairs = 0, limit } = finding;
  const verb = code === 'WIDENS_ACCESS' ? 'gains' : 'loses';
  if (what === 'unread') return `the access that the plan ${verb} cannot be counted: ${detail}`;
  const flow = visible(flowText(finding));
  if (!isNumber(finding))
    return `the plan ${verb} access ${outsidersWords(finding)}, which no value of \`access_thresholds\` allows: ${flow}  ${detail}`;
  const example = who === undefined ? '' : `, such as ${flow}`;
  const because = detail === '' ? '' : `, because ${visible(detail)}`;
  return `the plan ${verb} access for ${pairsWords(pairs)}${example}${because}; \`access_thresholds\` allows ${limit}`;
}

/** Sources that are not machines, in words: the internet, or the callers that a service admits. */
export const outsidersWords = ({ who = '' }: Pick<AccessFinding, 'who'>): string =>
  who.split(', ').some(name => name.startsWith('internet'))
    ? 'of the internet'
    : 'of the callers that a service admits';

const DONE: Readonly<Partial<Record<AccessHazardCode, string>>> = {
  WIDENS_GUARDED_ACCESS: 'the plan widens access to',
  NARROWS_GUARDED_ACCESS: 'the plan narrows access to',
  CUTS_GUARDED_ACCESS: 'the plan removes access to',
  SHRINKS_GUARDED_TARGET: 'the plan takes something out of',
};

const SHOWN = 3;

function guardText(own: readonly AcceptableFinding[]): string {
  const [{ code, target = '', from, what, detail = '' }] = own as [AcceptableFinding];
  const sides = [target, from ?? []].flat().map(selectorText).join(' from ');
  const done = `${DONE[code]} ${sides}`;
  if (what === 'unread') return `whether ${done}, which is guarded, is not known: ${detail}`;
  const some = own.slice(0, SHOWN).map(one => visible(flowText(one)));
  const others = own.length > SHOWN ? ` and ${own.length - SHOWN} more` : '';
  const pairs = own.reduce((sum, one) => sum + (one.pairs ?? 0), 0);
  const detours = new Set(own.slice(0, SHOWN).flatMap(one => one.detail ?? []));
  const ways = [...detours].map(text => `, because ${visible(text)}`).join('');
  return `${done}, which is guarded: ${some.join(', ')}${others} (${pairsWords(pairs)})${ways}`;
}

const pairsWords = (pairs: number): string =>
  `${pairs} ${pairs === 1 ? 'pair' : 'pairs'} of a machine and a destination`;
