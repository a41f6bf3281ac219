// The parts of a plan that a comment never collapses: deletions, gained and lost access, rights, and the flags that an apply needs.
import type { KindTable } from '../../kinds/kind.ts';
import { newAccessIn } from '../../model/access/accessFindings.ts';
import {
  type AccessChangeEntry,
  givesAccess,
  type PlanAccess,
  rightText,
} from '../../model/access/planAccess.ts';
import type { ShownChange } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { pathName } from '../../model/text/pathName.ts';
import { visible } from '../../model/text/visible.ts';
import type { AccessSentence } from '../access/accessSentence.ts';
import { destinationsText } from '../access/accessSentences.ts';
import { openingLines } from '../access/accessStepsText.ts';
import { accessLine, idleTexts, portsText, sourceText } from '../access/planAccessText.ts';
import { sentencesByWeight } from '../access/rankedAccess.ts';
import { LOOSENED_TITLE, loosenedLines } from '../plan/loosenedGuards.ts';
import { hazardsOf, neededFlags } from '../plan/neededFlags.ts';
import { testsLine, testsPart } from '../plan/planGatesText.ts';
import { deletedText } from '../plan/planSummary.ts';
import { code, fenced } from '../text/markdown.ts';
import { PLAIN } from '../text/style.ts';
import { MOST } from '../view/planView.ts';
import { bytesOf, clipped, listWithin, textWithin } from './budget.ts';
import { grantsPart } from './grantsPart.ts';

/** The bytes that the list of deletions leaves free for gained access. */
const GAINED_BYTES = 12_000;
/** The bytes for lost access. */
const LOST_BYTES = 6_000;
/** The bytes for changes that could change access but do not. */
const IDLE_BYTES = 2_000;
const TEST_BYTES = 4_000;
const FINDING_BYTES = 3_000;
const LOOSENED_BYTES = 3_000;
const FLAGS = 8;
const FLAG_BYTES = 120;

/** The maximum number of changes without effect on access that a comment names. */
const IDLE_MOST = 5;

const DELETES: ReadonlySet<ShownChange['type']> = new Set(['delete', 'replace']);

/** Deletions, gained and lost access in at most `bytes`: long names are cut before a line is left out. */
export function visibleParts(plan: Plan, kinds: KindTable, bytes: number): readonly string[] {
  const grants = grantsPart(plan, kinds);
  const lost = lostPart(plan, kinds);
  const idle = idlePart(plan);
  const used = bytesOf([...grants, ...lost, ...idle].join('\n'));
  return [...touchedParts(plan, kinds, bytes - used), ...lost, ...grants, ...idle];
}

// Changes that could change access but do not. They come after all changes of access.
function idlePart({ access }: Plan): readonly string[] {
  const lines = access ? idleTexts(access, { most: IDLE_MOST }) : [];
  return lines.length === 0 ? [] : ['', listWithin(lines, IDLE_BYTES)];
}

/**
 * Whether a comment lists a change as lost access. Lost access counts as lost even if the sources would gain other access by
 * passing posture checks.
 */
export const isLost = (one: AccessChangeEntry): boolean =>
  one.change === 'lost' || !givesAccess(one);

// Sources that lose access, with the access that they keep.
function lostPart({ access, changes }: Plan, kinds: KindTable): readonly string[] {
  const lost = (access?.changes ?? []).filter(isLost);
  if (lost.length === 0) return [];
  const lines = sentencesByWeight(lost, changes, kinds).map(accessSentenceLine);
  return ['', `**Access lost: ${lost.length}**`, '', listWithin(lines, LOST_BYTES)];
}

function touchedParts(plan: Plan, kinds: KindTable, bytes: number): readonly string[] {
  const gone = plan.changes.filter(({ type }) => DELETES.has(type));
  const more = (plan.access?.changes ?? []).filter(one => !isLost(one));
  const gained = [
    ...sentencesByWeight(more, plan.changes, kinds).map(accessSentenceLine),
    ...(plan.access ? rightLines(plan.access) : []),
    ...(plan.access ? openingLines(plan.access) : []).map(line => visible(`! ${line}`)),
  ];
  const wanted = gained.length === 0 ? 0 : bytesOf(gained.join('\n')) + GAINED_BYTES / 4;
  const room = bytes - Math.min(wanted, GAINED_BYTES);
  const deletions = gone.length === 0 ? '' : deletionList(gone, kinds, room);
  const left = bytes - bytesOf(deletions);
  return [
    ...(deletions === '' ? [] : ['', `**Deleted: ${gone.length}**`, '', deletions]),
    ...(plan.access ? ['', `**${accessLine(plan.access)}**`] : []),
    ...(gained.length === 0 ? [] : ['', listWithin(gained, left)]),
  ];
}

const rightLines = ({ rights = [] }: PlanAccess): readonly string[] =>
  rights.map(right => visible(`+ ${rightText(right)}`));

// The deleted objects with their former fields; only their names if the names alone fill the room.
function deletionList(gone: readonly ShownChange[], kinds: KindTable, bytes: number): string {
  const whole = gone.map(change => {
    const kind = change.type === 'delete' ? kinds.get(change.kind) : undefined;
    const was =
      kind === undefined ? '' : deletedText(kind, change.before ?? {}, { most: MOST, kinds });
    return was === '' ? changeLine(change) : visible(`${changeLine(change)}: ${was}`);
  });
  const list = fenced(whole.join('\n'), 'diff');
  return bytesOf(list) <= bytes ? list : listWithin(gone.map(changeLine), bytes);
}

const SIGN: Readonly<Record<ShownChange['type'], string>> = {
  create: '+',
  update: '!',
  replace: '-',
  delete: '-',
};

/** `! policy["web"]: rules`, with a sign that a forge colours in a diff. */
export function changeLine({ type, address, fields, with: parent }: ShownChange): string {
  const names = [...new Set(fields.map(({ path }) => pathName(path)))].join(', ');
  const what = {
    create: '',
    update: names === '' ? '' : `: ${names}`,
    replace: ' (replaced)',
    delete: parent === undefined ? '' : ` (with ${parent})`,
  }[type];
  return visible(`${SIGN[type]} ${address}${what}`);
}

const ACCESS_SIGN = { gained: '+', lost: '-', changed: '!' } as const;

/** The maximum number of destinations that a line names; the comment links to all of them. */
const DESTINATIONS = 20;

/** `+ group/on-call (3) → peer/db tcp/22`, `+ group/on-call (3) → 2 peers (db, web) tcp/22`. */
export function accessSentenceLine(sentence: AccessSentence): string {
  const { change, target, destinations } = sentence;
  const named = destinations.length > 0 ? ` (${destinationsText(sentence, DESTINATIONS)})` : '';
  const parties = `${sourceText(change)} → ${target}${named}`;
  return visible(`${ACCESS_SIGN[change.change]} ${parties} ${portsText(change)}`);
}

/** The flags that an apply of the plan needs; empty if it needs none. */
export function neededPart(plan: Plan): readonly string[] {
  const flags = neededFlags(hazardsOf(plan).filter(({ allowed }) => !allowed));
  if (flags.length === 0) return [];
  const shown = flags.slice(0, FLAGS).map(flag => code(clipped(visible(flag), FLAG_BYTES)));
  const more = flags.length > FLAGS ? [`and ${flags.length - FLAGS} more flags`] : [];
  return ['', `> ⚠️ An apply needs ${[...shown, ...more].join(' ')}`];
}

/** The guards that the files loosen. */
export function loosenedPart(plan: Plan): readonly string[] {
  const lines = loosenedLines(plan);
  if (lines.length === 0) return [];
  return ['', `> ⚠️ ${LOOSENED_TITLE}`, '', listWithin(lines, LOOSENED_BYTES)];
}

/** The notes and warnings of the plan. Loosened guards have a part of their own. */
export function findingsPart({ diagnostics }: Plan): readonly string[] {
  const shown = diagnostics.filter(
    ({ severity, code: name }) => severity !== 'error' && name !== 'GUARDS_LOOSENED',
  );
  if (shown.length === 0) return [];
  const lines = shown.map(({ severity, code: name, message }) =>
    visible(`${severity === 'warning' ? '!' : '#'} ${name}: ${message}`),
  );
  return ['', listWithin(lines, FINDING_BYTES)];
}

/** The results of the access tests, with each failed test. */
export function testParts(plan: Plan): readonly string[] {
  const { tests, findings = [] } = plan.gates ?? {};
  const hasDetails = tests?.verdicts?.some(
    ({ failures, notes }) => failures.length + notes.length > 0,
  );
  const details = hasDetails
    ? ['', textWithin(testsPart(plan, PLAIN), TEST_BYTES, 'see the job')]
    : [];
  return [
    ...(tests && !hasDetails ? ['', `**${testsLine(tests)}**`] : details),
    ...(newAccessIn(findings).length > 0 ? ['', '> ⚠️ Refused by `--no-new-access`'] : []),
  ];
}
