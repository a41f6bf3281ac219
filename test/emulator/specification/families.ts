// The kinds of object of the contract, each as the operations that make, read, change and remove one.
import { loadContract, type Operation } from '../../../src/contract/index.ts';

export interface Family {
  /** What it is named for: its creation without the verb. */
  readonly name: string;
  readonly create: Operation;
  /** Reads one by itself. */
  readonly get?: Operation;
  /** Absent where there is only one. */
  readonly list?: Operation;
  readonly update?: Operation;
  readonly remove?: Operation;
}

/** Every kind of object that the API makes and that stays, in the order of the contract. */
export function families(): readonly Family[] {
  const { operations } = loadContract();
  const makesOthers = ['createTemporaryAccess'];
  return operations
    .filter(({ id }) => id.startsWith('create') && !makesOthers.includes(id))
    .map(create => {
      const list = operations.find(one => one.method === 'GET' && one.path === create.path);
      const isOnlyOne = list?.id.startsWith('get') ?? false;
      const item = isOnlyOne ? /^$/ : new RegExp(`^${escaped(create.path)}/\\{\\w+\\}$`);
      const at = (method: string) =>
        operations.find(
          one =>
            one.method === method &&
            !one.public &&
            (isOnlyOne ? one.path === create.path : item.test(one.path)),
        );
      const get = at('GET');
      const update = at('PUT');
      const remove = at('DELETE');
      return {
        name: create.id.replace('create', ''),
        create,
        ...(get && { get }),
        ...(list && !isOnlyOne && { list }),
        ...(update && { update }),
        ...(remove && { remove }),
      };
    });
}

function escaped(path: string): string {
  return path.replaceAll(/[{}.]/g, '\\$&');
}
