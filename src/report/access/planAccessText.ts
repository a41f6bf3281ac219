// The access diff of a plan: a line of counts that begins with `Access:`, then who gains, loses or keeps access under other
// conditions.
import type { KindTable } from '../../kinds/kind.ts';
import {
  type AccessChangeEntry,
  AS_BEFORE,
  type IdleEntry,
  NOT_ABOUT_ACCESS,
  type PlanAccess,
  rightText,
  type SummedPorts,
} from '../../model/access/planAccess.ts';
import type { Plan } from '../../model/plan.ts';
import { visible } from '../../model/text/visible.ts';
import { wrap } from '../text/lines.ts';
import { moreText, rangeText } from '../text/longList.ts';
import { code, prose } from '../text/markdown.ts';
import type { Style } from '../text/style.ts';
import { counted } from '../text/summary.ts';
import type { AccessSentence } from './accessSentence.ts';
import { destinationsText } from './accessSentences.ts';
import { stepLines, stepMarkdown } from './accessStepsText.ts';
import { alreadyTexts, grantText, posturesText } from './accessWords.ts';
import { type AccessLimit, shownSentences } from './rankedAccess.ts';

/** The access diff in a plan's text; empty if access was not computed. */
export function accessPart(
  plan: Plan,
  {
    kinds,
    style,
    limit,
  }: { readonly kinds: KindTable; readonly style: Style; readonly limit: AccessLimit },
): string {
  const { access } = plan;
  if (access === undefined) return '';
  const { sentences, rest } = shownSentences(plan, kinds, limit);
  return [
    style.strong(accessLine(access)),
    ...sentences.flatMap(sentence => sentenceLines(sentence, style, limit.most)),
    ...rest.map(([change, count]) => `  ${SIGNS[change]} ${moreText(count)} ${change}`),
    ...rightLines(access, style),
    ...idleTexts(access, limit).flatMap(text => wrap(`  ${text}`, style.width)),
    ...stepLines(access, style),
    ...unreadLines(access, style.width),
  ].join('\n');
}

/** `Access: +1 −1 ~1 (18 machines; 412 flows unchanged; 3 changes have no effect on access)`. */
export function accessLine({
  status,
  machines,
  flows,
  without_effect,
  changes,
  rights = [],
  unread,
}: PlanAccess): string {
  const limit = unread.length === 0 ? '' : ', as far as it could be read';
  const given = rights.length === 0 ? '' : `, rights +${rights.length}`;
  if (status === 'new-account')
    return `Access: new account${flows === undefined ? '' : `, ${counted(flows, 'flow')}`}${given}${limit}`;
  if (status === 'unchanged' && rights.length === 0) return `Access: unchanged${limit}`;
  const count = (kind: AccessChangeEntry['change']) =>
    changes.filter(({ change }) => change === kind).length;
  const idle =
    without_effect === 0
      ? []
      : [
          `${counted(without_effect, 'change')} ${without_effect === 1 ? 'has' : 'have'} no effect on access`,
        ];
  const details = [
    counted(machines, 'machine'),
    ...(flows === undefined ? [] : [`${counted(flows, 'flow')} unchanged`]),
    ...idle,
  ];
  const counts = `+${count('gained')} −${count('lost')} ~${count('changed')}${given}`;
  return `Access: ${counts} (${details.join('; ')})${limit}`;
}

/** The access diff in a plan's Markdown. */
export function accessMarkdownPart(
  plan: Plan,
  kinds: KindTable,
  limit: AccessLimit,
): readonly string[] {
  const { access } = plan;
  if (access === undefined) return [];
  const { sentences, rest } = shownSentences(plan, kinds, limit);
  const shown = sentences.map(sentence => {
    const { change, target } = sentence;
    const why = [
      destinationsText(sentence, limit.most),
      ...alreadyTexts(change),
      ...change.via.map(grantText),
      ...posturesText(change),
      causeText(change),
    ];
    const parties = [change.from, target].map(code);
    const cells = [portsText(change), why.filter(text => text !== '').join('; ')].map(prose);
    return `| ${[SIGNS[change.change], ...parties, ...cells].join(' | ')} |`;
  });
  const rows = [
    ...shown,
    ...rest.map(([change, count]) => `| ${SIGNS[change]} | ${moreText(count)} ${change} | | | |`),
    ...(access.rights ?? []).map(
      right => `| + | ${code(right.object)} | | ${code(right.message)} | |`,
    ),
  ];
  const table =
    rows.length > 0 ? ['', '| | from | to | ports | |', '|---|---|---|---|---|', ...rows] : [];
  return [
    '',
    `**${accessLine(access)}**`,
    ...table,
    ...idleTexts(access, limit).map(text => `\n${prose(text)}`),
    ...stepMarkdown(access),
    ...unreadLines(access, Number.POSITIVE_INFINITY).map(text => `\n> ⚠️ ${prose(text.trim())}`),
  ];
}

const SIGNS = { gained: '+', lost: '−', changed: '~' } as const;

function sentenceLines(sentence: AccessSentence, style: Style, most: number): string[] {
  const { change, target } = sentence;
  const colour = { gained: style.add, lost: style.remove, changed: style.change }[change.change];
  const parties = `  ${SIGNS[change.change]} ${sourceText(change)} → ${target}`;
  const below = [
    destinationsText(sentence, most),
    ...alreadyTexts(change),
    ...change.via.map(grantText),
    ...posturesText(change),
    causeText(change),
  ];
  return [
    ...wrap([parties, portsText(change)], style.width).map(colour),
    ...below.filter(text => text !== '').flatMap(text => wrap(`      ${text}`, style.width)),
  ];
}

/** The party that gains or loses access, with its current number of machines. */
export function sourceText({ from, machines, members_to_come }: AccessChangeEntry): string {
  const joins = members_to_come.length > 0;
  if (machines.length === 0) return joins ? `${from} (future members)` : from;
  return `${from} (${machines.length}${joins ? ' and future members' : ''})`;
}

/**
 * `tcp/22 (was 22, 443)`: lost or changed access shows the remaining ports first. Ports that nobody could reach, because no
 * machine routes, are shown as allowed, not as former access: `tcp/22 (allowed before: 22, 443) (no machine routes yet)`.
 */
export function portsText(change: AccessChangeEntry): string {
  const { protocol, ports_before, ports_after, ports_if_passed = [], summed } = change;
  const { only_if_passed, no_router, no_router_before } = change;
  const condition = no_router ? 'a machine routes' : 'posture checks pass';
  const { words, shown } = portWords(protocol);
  if (only_if_passed)
    return `if ${condition}: ${shown(ports_after)} (before: ${words(ports_before)})`;
  if (summed) return summedText(change, summed);
  if (ports_before.length === 0 && ports_after.length === 0)
    return `${protocolName(protocol)} (different ports)`;
  const isUnrouted = no_router_before ?? (no_router && ports_if_passed.length === 0);
  const more =
    ports_if_passed.length > 0 ? ` (new if ${condition}: ${words(ports_if_passed)})` : '';
  const unrouted = ' (no machine routes yet)';
  const end = isUnrouted && more === '' ? unrouted : `${more}${unresolvedText(change)}`;
  if (change.change === 'lost' && ports_after.length === 0)
    return `${shown(ports_before)}${no_router_before ? unrouted : ''}${end}`;
  const isSame = ports_before.join() === ports_after.join();
  if (ports_before.length === 0 || isSame) return `${shown(ports_after)}${end}`;
  const was = isUnrouted ? 'allowed before:' : 'was';
  return `${shown(ports_after)} (${was} ${words(ports_before)})${end}`;
}

const unresolvedText = ({ not_resolved }: AccessChangeEntry): string =>
  not_resolved ? ' (no routing machine gets the zone yet)' : '';

const protocolName = (protocol: AccessChangeEntry['protocol']): string =>
  protocol === 'all' ? 'everything' : protocol;

// Words for ports without and with their protocol.
function portWords(protocol: AccessChangeEntry['protocol']) {
  const name = protocolName(protocol);
  const isWhole = protocol === 'all' || protocol === 'icmp';
  const words = (ports: readonly string[]) => {
    if (ports.length === 0) return 'nothing';
    return isWhole ? name : ports.join(', ');
  };
  const shown = (ports: readonly string[]) =>
    ports.length === 0 || isWhole ? words(ports) : `${name}/${words(ports)}`;
  return { words, shown };
}

/** The number of ports and ranges that a line for many changes shows. */
const SUMMED = 20;

// `tcp/22, 80, 443 (each pair: some of these ports)`, `tcp: gained 443, lost 22, 80 (each pair: some of these ports)`.
function summedText(
  { change, protocol }: Pick<AccessChangeEntry, 'change' | 'protocol'>,
  { gained, lost }: SummedPorts,
): string {
  const name = protocolName(protocol);
  if (protocol === 'icmp' || protocol === 'all') return name;
  const words = (ports: SummedPorts['lost']) => {
    const texts = ports.map(({ start, end }) => rangeText([start, end]));
    const left = texts.length - SUMMED;
    const more = left > 0 ? [moreText(left)] : [];
    const all = texts.join() === ALL_PORTS ? ['*'] : texts;
    return [...all.slice(0, SUMMED), ...more].join(', ');
  };
  const [own, other] = change === 'lost' ? [lost, gained] : [gained, lost];
  const each = own.length + other.length > 1 ? ' (each pair: some of these ports)' : '';
  if (own.length + other.length === 0) return `${name} (other conditions)`;
  if (other.length === 0) return `${name}/${words(own)}${each}`;
  const parts = [...(gained.length > 0 ? [`gained ${words(gained)}`] : []), `lost ${words(lost)}`];
  return `${name}: ${parts.join(', ')}${each}`;
}

const ALL_PORTS = '0-65535';

/** The changes of the plan that cause a change of access; empty if none is known. */
export const causeText = ({ causes, one_of }: AccessChangeEntry): string =>
  causes.length === 0 ? '' : `because of ${one_of ? 'one of ' : ''}${causes.join(', ')}`;

function rightLines({ rights = [] }: PlanAccess, style: Style): string[] {
  return rights.flatMap(right =>
    wrap(`  + ${visible(rightText(right))}`, style.width).map(style.add),
  );
}

/** The maximum number of changes on a line, and of lines, if a plan is shortened. */
const IDLE = 5;

/**
 * `policy.ssh has no effect: policy "Default", rule "Default" already allows it`: the changes without effect that the headline
 * counts, grouped by reason. If access is unchanged, only changes with a specific reason are named.
 */
export function idleTexts(access: PlanAccess, { most, onCut }: AccessLimit): readonly string[] {
  const shown = most === Number.POSITIVE_INFINITY ? most : IDLE;
  const entries = idleEntries(access);
  const texts = entries.slice(0, shown).map(({ changes, reason }) => {
    const named = changes.slice(0, shown).join(', ');
    const more = changes.length > shown ? ` ${moreText(changes.length - shown)}` : '';
    return idleText(`${named}${more}`, changes.length, reason);
  });
  const rest = entries.slice(shown).flatMap(({ changes }) => changes).length;
  if (rest > 0 || entries.some(({ changes }) => changes.length > shown)) onCut?.();
  return rest > 0 ? [...texts, `${moreText(rest)} without effect`] : texts;
}

/**
 * A sentence for each change without effect that the headline counts. Changes that only together leave access as it was, such as
 * two that swap their ports, share one sentence, because the reason may hold for none of them alone.
 */
export const idleSentences = (access: PlanAccess): readonly string[] =>
  idleEntries(access).flatMap(({ changes, reason }) =>
    reason === AS_BEFORE
      ? idleText(changes.join(', '), changes.length, reason)
      : changes.map(change => idleText(change, 1, reason)),
  );

/** The number of changes that these sentences are about. */
export const idleCount = (access: PlanAccess): number =>
  idleEntries(access).reduce((sum, { changes }) => sum + changes.length, 0);

const idleText = (named: string, count: number, reason: string): string =>
  visible(`${named} ${count === 1 ? 'has' : 'have'} no effect: ${reason}`);

/** Reasons that say only that access is unchanged. */
const PLAIN_REASONS: ReadonlySet<string> = new Set([NOT_ABOUT_ACCESS, AS_BEFORE]);

// The changes without effect, by reason. Changes that a reader may have expected to change access come first.
function idleEntries({ status, no_effect = [] }: PlanAccess): readonly IdleEntry[] {
  const isPlain = ({ reason }: IdleEntry) => PLAIN_REASONS.has(reason);
  const expected = no_effect.filter(one => !isPlain(one));
  return status === 'changed' ? expected.concat(no_effect.filter(isPlain)) : expected;
}

function unreadLines({ unread }: PlanAccess, width: number): string[] {
  return unread.flatMap(text =>
    wrap(`  Not read: ${text}. Access that depends on it is not compared.`, width),
  );
}
