// The results of gates on a plan's access as text: tests with failed lines, thresholds, guarded targets.

import { hazardsIn, newAccessIn, outsidersWords } from '../../model/access/accessFindings.ts';
import {
  type AccessGates,
  type AccessGuards,
  isDeclaredHere,
  type PlannedTests,
} from '../../model/access/accessGates.ts';
import { selectorText } from '../../model/access/accessName.ts';
import type { Plan } from '../../model/plan.ts';
import { visible } from '../../model/text/visible.ts';
import { assumedRoutersText, verdictLines } from '../tests/testText.ts';
import { wrap } from '../text/lines.ts';
import { fenced, prose } from '../text/markdown.ts';
import type { Style } from '../text/style.ts';
import { counted } from '../text/summary.ts';

/** The access tests in a plan's text; empty without tests. */
export function testsPart({ gates }: Plan, style: Style): string {
  if (gates?.tests === undefined) return '';
  return [style.strong(testsLine(gates.tests)), ...shownVerdicts(gates.tests, style)].join('\n');
}

/** `Access tests: 3 passed, 1 failed`. */
export function testsLine({ tests, verdicts }: PlannedTests): string {
  const own = tests.filter(isDeclaredHere).length;
  if (verdicts === undefined) return `Access tests: ${own} not judged (--no-tests)`;
  const isOwn = (at: number) => tests[at] === undefined || isDeclaredHere(tests[at]);
  const failed = verdicts.filter(({ failures }) => failures.length > 0).length;
  // A test that is not in the current files counts only if the plan breaks it.
  const passed = verdicts.filter(({ failures }, at) => failures.length === 0 && isOwn(at));
  return `Access tests: ${passed.length} passed, ${failed} failed`;
}

// The verdicts that are shown. Tests that pass without a note are only counted. Notes about assumed routers are combined, because
// many tests may rely on the same groups of routing machines.
function shownVerdicts({ verdicts = [] }: PlannedTests, style: Style): string[] {
  const shown = verdicts.filter(({ failures, notes }) => failures.length + notes.length > 0);
  const others = verdicts.filter(verdict => !shown.includes(verdict));
  const assumed = new Set(others.flatMap(({ assumedRouters = [] }) => assumedRouters));
  return [
    ...shown.flatMap(verdict => verdictLines(verdict, style)),
    ...(assumed.size > 0 ? wrap(`  ${assumedRoutersText([...assumed].sort())}`, style.width) : []),
  ];
}

/** Thresholds, guarded targets and forbidden gains of access in a plan's text. */
export function guardsPart({ gates, access }: Plan, style: Style): string {
  if (gates?.guards === undefined || access === undefined) return '';
  const { guards } = gates;
  const lines = [
    ...thresholdLine(gates, guards, access),
    ...guardedLine(gates, guards),
    ...newAccessLines(gates, guards),
  ];
  return [
    style.strong('Access guards'),
    '',
    ...lines.flatMap(line => wrap(`  ${line}`, style.width)),
  ].join('\n');
}

function thresholdLine(
  { findings }: AccessGates,
  { thresholds }: AccessGuards,
  { pairs, unread, status }: NonNullable<Plan['access']>,
): string[] {
  if (thresholds === undefined) return [];
  const limit = (count: number, most: number | undefined, word: string) =>
    most === undefined ? [] : [`${counted(count, 'pair')} ${word} of at most ${most}`];
  const parts = [
    ...limit(pairs.gained, thresholds.gained, 'gained'),
    ...limit(pairs.lost, thresholds.lost, 'lost'),
  ];
  const limits = [
    ...(unread.length > 0 ? ['as far as it could be read'] : []),
    ...(status === 'new-account' ? ['a new account is not counted'] : []),
  ];
  const internet = findings.filter(
    ({ gate, what, limit: counted }) =>
      gate === 'thresholds' && what !== 'unread' && counted === undefined,
  );
  const opened = [...new Set(internet.map(outsidersWords))].map(
    words => `access ${words}, which no threshold allows`,
  );
  return [`thresholds: ${[parts.join(', '), ...opened, ...limits].join('; ')}`];
}

function guardedLine({ findings }: AccessGates, { guarded }: AccessGuards): string[] {
  if (guarded.length === 0) return [];
  const targets = new Set(hazardsIn(findings).flatMap(({ target }) => target ?? []));
  const named =
    targets.size === 0
      ? 'none is affected'
      : `concerned: ${[...targets].map(selectorText).join(', ')}`;
  return [`guarded: ${counted(guarded.length, 'entry', 'entries')}, ${visible(named)}`];
}

function newAccessLines({ findings }: AccessGates, { noNewAccess }: AccessGuards): string[] {
  if (!noNewAccess) return [];
  const newAccess = newAccessIn(findings);
  if (newAccess.length === 0) return ['--no-new-access: none is gained'];
  return ['--no-new-access: refused', ...newAccess.map(text => `  + ${text}`)];
}

/** The gates in a plan's Markdown. */
export function testsMarkdownPart({ gates }: Plan, style: Style): readonly string[] {
  if (gates === undefined) return [];
  const { tests, findings } = gates;
  const shown = tests ? shownVerdicts(tests, style) : [];
  return [
    ...(tests ? ['', `**${testsLine(tests)}**`] : []),
    ...(shown.length > 0 ? ['', fenced(shown.join('\n'))] : []),
    ...newAccessIn(findings).map(text => `\n> ⚠️ refused by --no-new-access: ${prose(text)}`),
  ];
}
