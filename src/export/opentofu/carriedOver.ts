// What an export of a state carries over and what it leaves: the blocks whose objects are in the files, and findings about
// everything else in the state.
import type { KindTable } from '../../kinds/kind.ts';
import { isWithoutId } from '../../kinds/lookup.ts';
import type { DiagnosticCode } from '../../model/codes.ts';
import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import type { KindName } from '../../model/names.ts';
import type { Snapshot } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import { partsOf } from '../joinParts.ts';
import { type Exported, type ExportModel, everyObject } from '../model.ts';
import type { Block } from './block.ts';
import { isOfProvider, kindsOfBlock, label, labelsOf, objectsOfState } from './match.ts';
import type { StateFile } from './stateFile.ts';

/** The result of carrying a state over. */
export interface CarriedOver {
  /** The addresses that the configuration no longer needs. */
  readonly removed: readonly string[];
  readonly findings: readonly Diagnostic[];
}

/** A state, the account, and the objects that were written. */
export interface CarryOverInput {
  readonly state: StateFile;
  readonly kinds: KindTable;
  readonly snapshot: Pick<Snapshot, 'objects' | 'unavailable'>;
  readonly model: ExportModel;
  /** The kinds that were read, which flags may limit. */
  readonly read: ReadonlySet<KindName>;
}

/** A finding about a block, before it has a place. */
interface Said {
  readonly block: Block;
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
}

/** Whether the state is about another account: it has objects with ids, and the account has none of them. */
export function isOfOther({
  state,
  kinds,
  snapshot,
}: Omit<CarryOverInput, 'model' | 'read'>): boolean {
  const live = new Set(snapshot.objects.map(({ kind, id }) => label(kind, id)));
  const names = state.blocks.flatMap(block => {
    // Objects without an id prove nothing: every account has them.
    const own = kindsOfBlock(block, kinds).filter(kind => !isWithoutId(kind));
    return block.instances.flatMap(one => labelsOf(one, own));
  });
  return names.length > 0 && !names.some(name => live.has(name));
}

/** Compares a state with what was written. */
export function carriedOver(carrying: CarryOverInput): CarriedOver {
  const { state, model } = carrying;
  const written = new Set(
    everyObject(model.objects)
      .flatMap(partsOf)
      .map(({ kind, id }) => label(kind.name, id)),
  );
  const live = new Set(carrying.snapshot.objects.map(({ kind, id }) => label(kind, id)));
  const judged = state.blocks.map(block => judgedBlock(block, { ...carrying, written, live }));
  const gone = judged.filter(({ isWritten }) => isWritten).map(({ block }) => block);
  const removed = new Set(gone.map(({ address }) => address));
  const said = [
    ...judged.flatMap(one => one.said),
    ...judged.flatMap(({ block, isWritten }) =>
      isWritten || block.isData ? [] : stillPointing(block, removed),
    ),
  ];
  const spans = state.spansOf(said.map(({ block }) => block.position));
  return {
    removed: [...removed],
    findings: [
      ...said.map(({ block, ...finding }): Diagnostic => {
        const at = spans.get(block.position);
        return { ...finding, ...(at && { at }) };
      }),
      ...outputsFinding(state),
      ...besides(carrying),
    ],
  };
}

interface Judging extends CarryOverInput {
  readonly written: ReadonlySet<string>;
  readonly live: ReadonlySet<string>;
}

interface Judged {
  readonly block: Block;
  readonly isWritten: boolean;
  readonly said: readonly Said[];
}

function judgedBlock(block: Block, { kinds, snapshot, read, written, live }: Judging): Judged {
  const stays = (...said: Said[]): Judged => ({ block, isWritten: false, said });
  if (block.isData) return stays(...dataFinding(block));
  if (block.instances.length === 0) return stays();
  if (!isOfProvider(block)) return stays(ofOther(block));
  const own = kindsOfBlock(block, kinds);
  if (own.length === 0) return stays(noKind(block));
  if (!own.every(({ name }) => read.has(name))) return stays();
  const found = block.instances.map(instance => {
    const names = labelsOf(instance, own);
    const isThere = names.some(name => live.has(name));
    return { instance, isThere, isWritten: names.some(name => written.has(name)) };
  });
  const absent = found.filter(({ isThere }) => !isThere).length;
  const isUnread = own.some(({ name }) => snapshot.unavailable.has(name));
  // A deleted object needs no declaration, and the configuration may forget it too.
  const isWritten = found.every(one => one.isWritten || (!one.isThere && !isUnread));
  return {
    block,
    isWritten,
    said: [
      ...(absent > 0 ? [isUnread ? unread(block) : notThere(block, absent)] : []),
      ...(found.some(({ instance }) => instance.isOneOfSeveral) ? [several(block)] : []),
      ...secretFindings(block),
    ],
  };
}

const dataFinding = (block: Block): Said[] =>
  isOfProvider(block)
    ? [
        {
          block,
          code: 'STATE_WITHOUT_COUNTERPART',
          severity: 'note',
          message: `${quoted(block.address)} has no counterpart, and needs none: files refer to objects by name`,
        },
      ]
    : [];

const ofOther = (block: Block): Said => ({
  block,
  code: 'STATE_WITHOUT_COUNTERPART',
  severity: 'note',
  message: `${quoted(block.address)} stays in the state: it belongs to another provider`,
});

const noKind = (block: Block): Said => ({
  block,
  code: 'STATE_WITHOUT_COUNTERPART',
  severity: 'warning',
  message: `${quoted(block.address)} stays in the state: no file can declare objects of type ${quoted(block.type)}`,
  hint: 'keep it in the configuration: meshform leaves alone what its files do not declare',
});

const unread = (block: Block): Said => ({
  block,
  code: 'STATE_WITHOUT_COUNTERPART',
  severity: 'warning',
  message: `${quoted(block.address)} stays in the state: the server does not return objects of type ${quoted(block.type)}`,
  hint: 'use the token of an admin, and check --dialect',
});

const notThere = (block: Block, absent: number): Said => ({
  block,
  code: 'OBJECT_NOT_THERE',
  severity: 'warning',
  message:
    block.instances.length === 1
      ? `the account has no object with the id that the state has for ${quoted(block.address)}; the files get no declaration for it`
      : `the account has no object with the ids of ${absent} of ${block.instances.length} instances of ${quoted(block.address)}; the files get no declarations for them`,
  hint: 'somebody deleted it, or it belongs to another account',
});

const several = (block: Block): Said => ({
  block,
  code: 'STATE_WITHOUT_COUNTERPART',
  severity: 'note',
  message: `\`for_each\` or \`count\` of ${quoted(block.address)} has no counterpart: each of its ${block.instances.length} objects is a declaration`,
});

function secretFindings(block: Block): Said[] {
  const fields = [...new Set(block.instances.flatMap(({ secretFields }) => secretFields))];
  return fields.map(field => ({
    block,
    code: 'STATE_SECRET',
    severity: 'warning',
    message: `only the state knows ${quoted(field)} of ${quoted(block.address)}: the account does not return it`,
    hint: 'store it elsewhere before you delete the state, or let `meshform apply --rotate` create a new one',
  }));
}

const HINT_POINTING =
  'replace the references in its block with ids or data sources before you apply the removed blocks';

function stillPointing(block: Block, removed: ReadonlySet<string>): Said[] {
  const all = block.instances.flatMap(({ dependencies }) => dependencies);
  const names = [...new Set(all.filter(address => removed.has(address)))].sort();
  if (names.length === 0) return [];
  return [
    {
      block,
      code: 'STATE_WITHOUT_COUNTERPART',
      severity: 'warning',
      message: `${quoted(block.address)} stays in the configuration and refers to ${names.map(name => quoted(name)).join(', ')}`,
      hint: HINT_POINTING,
    },
  ];
}

function outputsFinding({ outputs }: StateFile): Diagnostic[] {
  if (outputs.length === 0) return [];
  const names = outputs.map(name => quoted(name)).join(', ');
  return [
    {
      code: 'STATE_WITHOUT_COUNTERPART',
      severity: 'note',
      message: `outputs have no counterpart: ${names}`,
      hint: 'programs get ids and names from the API, such as with `meshform api call`',
    },
  ];
}

// A nested object cannot be declared without its parent.
function besides({ state, kinds, model }: CarryOverInput): Diagnostic[] {
  const has = objectsOfState(state, kinds);
  const written = everyObject(model.objects).flatMap(partsOf);
  return written.filter(({ kind, id }) => !has(kind.name, id)).map(besideFinding);
}

const besideFinding = ({ kind, name }: Exported): Diagnostic => ({
  code: 'STATE_WITHOUT_COUNTERPART',
  severity: 'warning',
  message: `${kind.noun} ${quoted(name)} is written, although the state does not have it: an object of the state nests in it`,
});
