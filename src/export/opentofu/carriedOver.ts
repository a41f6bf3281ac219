// The blocks of a state whose objects an export has written into the files, and findings about everything else in the state.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { isWithoutId } from '../../kinds/lookup.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KindName } from '../../model/names.ts';
import type { Live, Snapshot } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import { partsOf } from '../joinParts.ts';
import { type Exported, type ExportModel, everyObject } from '../model.ts';
import type { Block } from './block.ts';
import { isOfProvider, kindsOfBlock, label, labelsOf, objectsOfState } from './match.ts';
import { secretAttributes } from './secretAttributes.ts';
import type { StateFile } from './stateFile.ts';
import {
  dataFinding,
  leftOut,
  noKind,
  notThere,
  ofOther,
  type Said,
  secretFindings,
  several,
  stillDeposed,
  stillPointing,
  unread,
} from './stateFindings.ts';

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

/** Whether the state belongs to another account: it contains objects with ids, and none of these is in the account. */
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
  const live = new Map(carrying.snapshot.objects.map(one => [label(one.kind, one.id), one]));
  const judged = state.blocks.map(block => judgedBlock(block, { ...carrying, written, live }));
  const removed = removedAddresses(judged);
  const said = [
    ...judged.flatMap(one => one.said),
    ...judged.flatMap(({ block }) =>
      removed.has(block.address) || block.isData ? [] : stillPointing(block, removed),
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

// The addresses that `removed` blocks may name. Such a block affects every instance of its address, in all instances of its
// modules.
function removedAddresses(judged: readonly Judged[]): ReadonlySet<string> {
  const kept = new Set(judged.filter(({ stays }) => stays).map(({ block }) => block.address));
  const gone = judged.filter(({ isWritten }) => isWritten).map(({ block }) => block.address);
  return new Set(gone).difference(kept);
}

interface Judging extends CarryOverInput {
  readonly written: ReadonlySet<string>;
  readonly live: ReadonlyMap<string, Live>;
}

interface Judged {
  readonly block: Block;
  /** Whether objects of the block are in the files. */
  readonly isWritten: boolean;
  /** Whether an object of the block is not in the files, so that a `removed` block would make the state forget this object. */
  readonly stays: boolean;
  readonly said: readonly Said[];
}

function judgedBlock(block: Block, judging: Judging): Judged {
  const { kinds, read } = judging;
  const stays = (...said: Said[]): Judged => ({ block, isWritten: false, stays: true, said });
  if (block.isData) return stays(...dataFinding(block));
  if (block.instances.length + block.deposed.length === 0)
    return { block, isWritten: false, stays: false, said: [] };
  if (!isOfProvider(block)) return stays(ofOther(block));
  const own = kindsOfBlock(block, kinds);
  if (own.length === 0) return stays(noKind(block));
  if (!own.every(({ name }) => read.has(name))) return stays();
  return judgedInstances(block, own, judging);
}

function judgedInstances(block: Block, own: readonly Kind[], judging: Judging): Judged {
  const { snapshot, written, live } = judging;
  const found = block.instances.map(instance => {
    const names = labelsOf(instance, own);
    const held = names.flatMap(name => live.get(name) ?? [])[0];
    return { instance, held, isWritten: names.some(name => written.has(name)) };
  });
  const absent = found.filter(({ held }) => !held).length;
  const missing = found.filter(({ isWritten }) => !isWritten).length;
  const isUnread = own.some(({ name }) => snapshot.unavailable.has(name));
  const deposed = deposedObjects(block, own, { live, isUnread });
  const secrets = found.flatMap(({ instance, held }) =>
    secretAttributes(instance, own, held?.fields),
  );
  return {
    block,
    isWritten: missing < found.length,
    stays: missing + deposed.length > 0,
    said: [
      ...(absent > 0 ? [isUnread ? unread(block) : notThere(block, absent)] : []),
      ...(missing > absent ? [leftOut(block, missing - absent)] : []),
      ...deposed.map(one => stillDeposed(block, one)),
      ...(missing === 0 && found.some(one => one.instance.isOneOfSeveral) ? [several(block)] : []),
      ...secretFindings(block, secrets),
    ],
  };
}

interface Looking {
  readonly live: ReadonlyMap<string, Live>;
  readonly isUnread: boolean;
}

// The deposed objects that the account may still have, each in words.
function deposedObjects(
  { deposed }: Block,
  own: readonly Kind[],
  { live, isUnread }: Looking,
): readonly string[] {
  const kinds = own.filter(kind => !isWithoutId(kind));
  return deposed.flatMap(id => {
    const [found] = kinds.flatMap(kind => {
      const held = live.get(label(kind.name, id));
      return held ? [`${kind.noun} ${quoted(held.key)}`] : [];
    });
    const isUnknown = kinds.length > 0 && (id === '' || isUnread);
    return found ?? (isUnknown ? ['an object that the account may still have'] : []);
  });
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
