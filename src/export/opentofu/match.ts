// Matches a state file with the objects of the account: the type of a block names the kind, and an instance has the id.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { isWithoutId } from '../../kinds/lookup.ts';
import type { KindName, RemoteId } from '../../model/names.ts';
import type { Block, Instance } from './block.ts';
import { declaredTexts } from './secretAttributes.ts';
import type { StateFile } from './stateFile.ts';

/** The provider, by the last part of its source; the types of its blocks begin with it. */
const PROVIDER = 'netbird';

/** Whether a block belongs to the provider that manages the objects of the account. */
export const isOfProvider = ({ provider, type }: Block): boolean =>
  provider === PROVIDER && type.startsWith(`${PROVIDER}_`);

/**
 * The kinds that an object of a block may have; several if kinds share a collection, none if no file can declare it. The
 * type `netbird_reverse_proxy_x` names the kind `proxy_x`: the first words are dropped until a kind has the name.
 */
export function kindsOfBlock(block: Block, kinds: KindTable): readonly Kind[] {
  if (!isOfProvider(block) || block.isData) return [];
  const words = block.type.split('_').slice(1);
  const names = words.map((_, i) => words.slice(i).join('_') as KindName);
  const named = names.map(name => kinds.get(name)).find(kind => kind !== undefined);
  if (named === undefined) return [];
  return [...kinds.values()].filter(
    ({ path, parent }) => path === named.path && parent === named.parent,
  );
}

/** The kinds of all objects of a state. */
export const kindsOfState = ({ blocks }: StateFile, kinds: KindTable): ReadonlySet<KindName> =>
  new Set(blocks.flatMap(block => kindsOfBlock(block, kinds)).map(({ name }) => name));

/** The texts of all secrets that the kinds of a state declare, whether or not the state marks them as sensitive. */
export const declaredSecrets = ({ blocks }: StateFile, kinds: KindTable): readonly string[] =>
  blocks.flatMap(block => {
    const own = kindsOfBlock(block, kinds);
    return block.instances.flatMap(instance => declaredTexts(instance, own));
  });

/** The names by which an object of a block can be found among live objects. */
export function labelsOf({ id }: Instance, kinds: readonly Kind[]): readonly string[] {
  return kinds.flatMap(kind =>
    isWithoutId(kind) ? [label(kind.name, kind.name)] : id === '' ? [] : [label(kind.name, id)],
  );
}

/** The name of a live object for such comparisons. */
export const label = (kind: string, id: string): string => `${kind} ${id}`;

/** Tells which live objects a state has. */
export function objectsOfState(
  { blocks }: StateFile,
  kinds: KindTable,
): (kind: KindName, id: RemoteId) => boolean {
  const labels = new Set(
    blocks.flatMap(block => {
      const own = kindsOfBlock(block, kinds);
      return block.instances.flatMap(instance => labelsOf(instance, own));
    }),
  );
  return (kind, id) => labels.has(label(kind, id));
}
