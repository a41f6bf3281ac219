// Objects and values that unfinished applies left and that no file declares. They are in no base,
// only in the journals of these applies.
import { namingFields } from '../../kinds/identity/identity.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { FieldChange, LeftByRun, MembersChange } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { LeftChange, ProvablyCreated } from '../../model/leftObjects.ts';
import type { Desired, Live } from '../../model/object.ts';
import { shortRun } from '../../model/runName.ts';
import type { Shown, ShownFields, ShownText } from '../../model/secrets/shown.ts';
import { valueInSentence } from '../../model/secrets/valueInSentence.ts';
import { pathName } from '../../model/text/pathName.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList } from '../../model/value.ts';
import { meansLive } from '../pruning/meansLive.ts';
import type { DraftPlan } from './draftPlan.ts';

/** Something that an unfinished apply created, changed or deleted, and that the plan leaves as it is. */
interface Leftover {
  readonly warning: Diagnostic;
  /** The change that would restore the state before the apply. */
  readonly undone: LeftByRun;
}

/** Warnings for objects and values that unfinished applies created, changed or deleted, and that the plan leaves as they are. */
export const leftByRuns = (plan: DraftPlan): readonly Diagnostic[] =>
  leftovers(plan).map(one => one.warning);

/**
 * The changes that would revert what unfinished applies created, changed or deleted, for everything that the plan leaves as it
 * is.
 */
export const undoneLeftovers = (plan: DraftPlan): readonly LeftByRun[] =>
  leftovers(plan).map(({ undone }) => undone);

const leftovers = (plan: DraftPlan): readonly Leftover[] => [
  ...createdOnes(plan),
  ...(plan.input.leftChanges ?? []).flatMap(change =>
    change.id === undefined ? deletedOne(change, plan) : changedOne(change, plan),
  ),
];

function createdOnes({
  input: { made = [], leftInGone = [] },
  run: { isForgotten, isSelected },
  pairing: { unpaired },
  pruning,
  declaredBy,
  context,
}: DraftPlan): readonly Leftover[] {
  const left = [...leftInGone, ...made].flatMap(one =>
    one.isLeft ? [[`${one.kind} ${one.id}`, one] as const] : [],
  );
  if (left.length === 0) return [];
  // The newest entries come first, so they must be added last.
  const known = new Map(left.toReversed());
  const gone = new Set(pruning.deletes.map(({ live }) => live));
  return unpaired.flatMap((live): Leftover[] => {
    const found = known.get(`${live.kind} ${live.id}`);
    const address = context.addressOf(live);
    const named = { kind: live.kind, key: context.keyOf(live) };
    const former = context.base.get(address);
    const isInBase = former !== undefined && meansLive(former, live);
    const isKnown = gone.has(live) || isInBase || declaredBy(live) !== undefined;
    if (!found || isKnown || isForgotten(named) || !isSelected(named)) return [];
    const way = `remove it with ${undoOf(found)}${found.isCounted ? PRUNED : ''}`;
    const before = nameFields(live, context.kind(live.kind));
    return [
      {
        warning: warning(
          `${address} was created by ${applyText(found)}${folderText(found)}; no file declares it, and it stays in the account`,
          `${way}; to keep it, declare it${keepText(found)}`,
        ),
        undone: {
          ...named,
          address,
          id: live.id,
          type: 'delete',
          before,
          fields: [],
          notes: [],
          run: found.run,
        },
      },
    ];
  });
}

// Names are never secret.
function nameFields({ fields }: Live, kind: Kind): ShownFields {
  const named = namingFields(kind).flatMap((field = '') => {
    const value = fields[field];
    return typeof value === 'string' ? [[field, value as ShownText]] : [];
  });
  return Object.fromEntries(named);
}

const PRUNED = ', or with `meshform apply --prune removed`';

function changedOne(change: LeftChange, plan: DraftPlan): readonly Leftover[] {
  const { input, run, pruning, context } = plan;
  const live = input.snapshot.objects.find(
    ({ kind, id }) => kind === change.kind && id === change.id,
  );
  if (!live || pruning.deletes.some(one => one.live === live)) return [];
  const named = { kind: live.kind, key: context.keyOf(live) };
  if (run.isForgotten(named) || !run.isSelected(named)) return [];
  const decided = decidedFields(live, plan);
  const { shape } = context.kind(live.kind);
  const isShared = ({ path: [field = ''] }: FieldChange<Shown>) =>
    shape.fields.get(field)?.shared === true;
  const fields = change.fields.flatMap((one): readonly FieldChange<Shown>[] => {
    if (one.type === 'members' && isShared(one)) return undecidedMembers(one, live, plan);
    return decided.has(one.path[0] ?? '') ? [] : [one];
  });
  if (fields.length === 0) return [];
  const address = context.addressOf(live);
  return [
    {
      warning: warning(
        `${address} was changed by ${applyText(change)}, and no file declares that: ${listed(fields.map(standsText))}${folderText(change)}`,
        `restore what was there with ${undoOf(change)}; to keep it, declare it${keepText(change)}`,
      ),
      undone: {
        ...named,
        address,
        id: live.id,
        type: 'update',
        fields,
        notes: [],
        run: change.run,
      },
    },
  ];
}

// The fields of the object that are already decided: fields that the files or another folder
// declare, and fields that the plan changes. Shared sets do not count.
function decidedFields(live: Live, plan: DraftPlan): ReadonlySet<string> {
  const { pairing, changes, declaredBy, input, context } = plan;
  const own = [...pairing.pairs, ...pairing.bystanders].flatMap(pair =>
    pair.live === live ? Object.keys(pair.desired.fields) : [],
  );
  const changed = changes.flatMap(one =>
    one.live === live ? one.change.fields.flatMap(({ path: [field] }) => field ?? []) : [],
  );
  const folder = declaredBy(live);
  const { shape } = context.kind(live.kind);
  const theirs = (input.others ?? [])
    .filter(({ name }) => name === folder?.name)
    .flatMap(({ files }) => files)
    .filter(({ kind, key }) => kind === live.kind && key === folder?.key)
    .flatMap(({ fields }) => Object.keys(fields))
    .filter(field => shape.fields.get(field)?.shared !== true);
  return new Set([...own, ...changed, ...theirs].map(String));
}

// The change, reduced to members that no file decides. In a shared set, a member that no file
// declares stays, whatever other members the files declare.
function undecidedMembers(
  change: MembersChange<Shown>,
  live: Live,
  { pairing, changes }: DraftPlan,
): readonly MembersChange<Shown>[] {
  const [field = ''] = change.path;
  const own = [...pairing.pairs, ...pairing.bystanders].find(pair => pair.live === live);
  const declared = own?.desired.fields[field];
  const names = new Set(isList(declared) ? declared.map(String) : []);
  const planned = changes
    .filter(one => one.live === live)
    .flatMap(one => one.change.fields)
    .flatMap(one => (one.type === 'members' && one.path[0] === field ? one : []));
  const isPlanned = (side: 'added' | 'removed') => {
    const all = new Set(planned.flatMap(one => one[side]).map(String));
    return (member: Shown) => all.has(String(member));
  };
  const isRemoved = isPlanned('removed');
  const isAdded = isPlanned('added');
  const removed = change.removed.filter(one => !names.has(String(one)) && !isRemoved(one));
  // If the files declare the whole list, they decide about all of its members.
  const added = declared === undefined ? change.added.filter(one => !isAdded(one)) : [];
  return removed.length + added.length > 0 ? [{ ...change, added, removed }] : [];
}

function deletedOne(change: LeftChange, plan: DraftPlan): readonly Leftover[] {
  const { input, run, context } = plan;
  const address = addressOf(change.kind, change.key);
  const isNamed = (one: Desired) => addressOf(one.kind, one.key) === address;
  const others = (input.others ?? []).flatMap(({ files, base }) => [...files, ...base]);
  // The removal is intended if the base declared the object, because then the files removed it. It
  // is also intended if the run deletes undeclared objects.
  const isWanted =
    input.settings.prune === 'unmanaged' ||
    input.desired.some(isNamed) ||
    (context.base.get(address)?.madeIds === undefined && context.base.has(address)) ||
    others.some(isNamed);
  if (isWanted || run.isForgotten(change) || !run.isSelected(change)) return [];
  const { kind, key } = change;
  const after = Object.fromEntries(
    change.fields.flatMap(({ path: [field, ...inside], ...one }) => {
      const isWhole = field !== undefined && inside.length === 0 && one.type === 'value';
      return isWhole && one.after !== undefined ? [[field, one.after]] : [];
    }),
  );
  return [
    {
      warning: warning(
        `${address} was deleted by ${applyText(change)}, and no file declares it: it had ${listed(change.fields.map(hadText))}${folderText(change)}`,
        `create it again with ${undoOf(change)}; if it is to stay deleted, run ${keepOf(change)}`,
      ),
      undone: { kind, key, address, type: 'create', after, fields: [], notes: [], run: change.run },
    },
  ];
}

function standsText(change: FieldChange<Shown>): string {
  const field = quoted(pathName(change.path));
  if (change.type === 'value')
    return `${field} is ${textOf(change.before)}, and was ${textOf(change.after)}`;
  // The members that an undo removes are the members that the apply added.
  const { added, removed } = change;
  return [
    ...(removed.length > 0 ? [`${field} has ${removed.map(textOf).join(', ')}`] : []),
    ...(added.length > 0 ? [`${field} lacks ${added.map(textOf).join(', ')}`] : []),
  ].join(', and ');
}

const hadText = (change: FieldChange<Shown>): string =>
  change.type === 'value' ? `${pathName(change.path)}: ${textOf(change.after)}` : '';

const textOf = (value: Shown | undefined): string =>
  value === undefined ? 'not set' : valueInSentence(value);

const SHOWN = 6;

const listed = (texts: readonly string[]): string =>
  texts.length > SHOWN
    ? `${texts.slice(0, SHOWN).join('; ')}; and ${texts.length - SHOWN} more`
    : texts.join('; ');

/** The apply that left an object or a change. */
type Leaver = Pick<ProvablyCreated, 'run' | 'formerFolder'>;

const applyText = ({ run }: Leaver): string => `the apply ${shortRun(run)}, which was not finished`;

const folderText = ({ formerFolder }: Leaver): string =>
  formerFolder === undefined ? '' : `; its folder ${quoted(formerFolder)} has no files any more`;

const undoOf = ({ run }: Leaver): string => quoted(`meshform apply --undo ${shortRun(run)}`);

const keepOf = ({ run }: Leaver): string =>
  quoted(`meshform apply --abandon ${shortRun(run)} --keep-left`);

const keepText = (left: Leaver): string => `, or run ${keepOf(left)}`;

const warning = (message: string, hint: string): Diagnostic => ({
  code: 'LEFT_BY_RUN',
  severity: 'warning',
  message,
  hint,
});
