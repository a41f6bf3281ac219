// Names of variables for secrets that an account does not show: descriptive, unique, and the same in every export.
import type { Kind } from '../kinds/kind.ts';
import type { RemoteId } from '../model/names.ts';
import { pointer } from '../model/text/pointer.ts';
import type { Path } from '../model/value.ts';

/** Returns the reference for a secret of an object, always the same for one secret. */
export class Variables {
  readonly #taken = new Map<string, string>();

  /** `${env:…}` for the secret at `path` of the object called `name`. */
  reference(kind: Kind, { id, name }: { id: RemoteId; name: string }, path: Path): string {
    const own = kind.cardinality !== 'collection' ? [] : [word(name) || word(id)];
    const text = [word(kind.name), ...own, ...path.map(word)].filter(Boolean).join('_');
    return `\${env:${this.#unique(text, `${kind.name} ${id} ${pointer(path)}`)}}`;
  }

  #unique(text: string, holder: string): string {
    for (let number = 1; ; number++) {
      const name = number === 1 ? text : `${text}_${number}`;
      const taken = this.#taken.get(name) ?? holder;
      if (taken !== holder) continue;
      this.#taken.set(name, holder);
      return name;
    }
  }
}

// Letters with a plain form are converted; other characters separate words.
function word(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
}
