// Shuffles lists in responses. Most lists of the API have no order (docs/server-behaviour.md#order-of-lists), and shuffling
// reveals clients that rely on one.
import { isList, isObject, type Json } from '../../model/value.ts';
import { type Random, randomBelow } from '../environment.ts';

/**
 * `value` with all nested lists in random order. `ordered` contains the lists whose order is kept, as JSON pointers with `*` for
 * any member of a list.
 */
export function shuffled(value: Json, random: Random, ordered: readonly string[] = []): Json {
  const shuffle = (part: Json, pointer: string): Json => {
    if (isList(part)) {
      const members = ordered.includes(pointer) ? part : permuted(part, random);
      return members.map(member => shuffle(member, `${pointer}/*`));
    }
    if (!isObject(part)) return part;
    return Object.fromEntries(
      Object.entries(part).map(([name, member]) => [name, shuffle(member, `${pointer}/${name}`)]),
    );
  };
  return shuffle(value, '');
}

function permuted<T>(list: readonly T[], random: Random): readonly T[] {
  const bag = [...list];
  return list.flatMap(() => bag.splice(randomBelow(random, bag.length), 1));
}
