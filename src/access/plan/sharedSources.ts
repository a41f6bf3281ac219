// Sources of secrets that a plan newly sends to a destination. Without this check, a variable that
// only one object needs, such as the secret of an identity provider, could be sent to a machine as
// a header of a service, or to a webhook.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { keyedPath, valueAt } from '../../kinds/values/items.ts';
import { pathText } from '../../kinds/values/pathText.ts';
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import type { RightEntry } from '../../model/access/planAccess.ts';
import type { ShownChange } from '../../model/change.ts';
import { addressOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import { isHosted } from '../../model/secrets/hostedSecret.ts';
import { isSecret, secretsIn } from '../../model/secrets/secret.ts';
import { positionIn } from '../../model/secrets/yamlPosition.ts';
import { REFERENCE } from '../../model/text/literalText.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Fields, Json, Path } from '../../model/value.ts';
import { placesIn } from './sentElsewhere.ts';

/** A place in an object whose value comes from a source. */
interface Use {
  readonly address: Address;
  readonly path: Path;
  readonly text: string;
  readonly sources: readonly string[];
  /**
   * Whether the secret opens the object. The server never shows such a secret and never sends it to
   * another place.
   */
  readonly isLock: boolean;
  /** The destination of the value, if the object contains it and it may be shown. */
  readonly to: string | undefined;
}

/**
 * The rights that new uses of sources give, in enabled and in disabled objects. A new source for a
 * lock gives a right only if another object in `declared` uses the same source for a secret that is
 * not a lock.
 */
export function sourceRights(
  kinds: KindTable,
  { changes, actions }: Pick<Plan, 'changes' | 'actions'>,
  declared: readonly Pick<Desired, 'kind' | 'key' | 'fields'>[],
): readonly RightEntry[] {
  const written = new Map(
    actions.flatMap(one => (one.verb === 'delete' ? [] : [[one.address, one.fields] as const])),
  );
  const uses = declared.flatMap(({ kind, key, fields }) =>
    usesIn(kinds.get(kind), addressOf(kind, key), fields),
  );
  return changes.flatMap(change => {
    const fields = written.get(change.address);
    if (fields === undefined) return [];
    const kind = kinds.get(change.kind);
    return usesIn(kind, change.address, fields).flatMap(use =>
      use.sources
        .filter(source => isNewAt(source, use.path, { kind, change }))
        .flatMap((source): RightEntry[] => {
          const others = uses.filter(
            one =>
              one.address !== use.address &&
              one.sources.includes(source) &&
              !(one.isLock && use.isLock),
          );
          if (others.length === 0 && use.isLock) return [];
          return [{ object: use.address, right: 'secret', message: says(source, use, others) }];
        }),
    );
  });
}

function says(source: string, { text, to }: Use, [first, ...more]: readonly Use[]): string {
  const rest = more.length === 0 ? '' : ` and ${more.length} more`;
  const whose = first ? `, the ${quoted(first.text)} of ${first.address}${rest},` : '';
  const where = to === undefined ? '' : ` to ${to}`;
  return `${source}${whose} is sent in ${quoted(text)}${where}`;
}

function usesIn(kind: Kind | undefined, address: Address, fields: Fields): readonly Use[] {
  const placeOf = kind ? placesIn(kind, fields) : () => undefined;
  return secretsIn(fields as Json).flatMap(({ path, secret }): Use[] => {
    const sources = sourcesIn(secret.$secret);
    const above = shapeAt(kind?.shape, path.slice(0, -1));
    const isLock = above?.type === 'object' && above.lock?.opens === path.at(-1);
    const place = keyedPath(kind?.shape, fields, path);
    const text = kind ? pathText(kind.shape, place) : place.join('.');
    const to = isHosted(secret) && secret.$host !== '' ? secret.$host : placeOf(place);
    return sources.length === 0 ? [] : [{ address, path: place, text, sources, isLock, to }];
  });
}

// The sources in the text of a secret. The source of a secret address is the position of the
// address, which contains the references of its text.
function sourcesIn(template: string): readonly string[] {
  const opened = positionIn(template)?.references.map(reference => `\${${reference}}`) ?? [];
  const written = Array.from(template.matchAll(REFERENCE), ([text]) => text);
  return [...new Set([...opened, ...written])];
}

// Whether the files did not use the source in this place before. If the use was only removed in the
// account, it is not new in the files.
function isNewAt(
  source: string,
  path: Path,
  { kind, change }: { readonly kind: Kind | undefined; readonly change: ShownChange },
): boolean {
  const { type, fields } = change;
  if (type === 'create') return true;
  const about = fields.find(
    one => path.slice(0, one.path.length).join('\n') === one.path.join('\n'),
  );
  if (about === undefined || about.since === 'drift') return false;
  if (about.type !== 'value') return true;
  // For a field, a plan shows the former value with the current source. Only the whole object
  // contains the former source.
  const was = valueAt(kind?.shape, change.before, path);
  if (was !== undefined && !isSecret(was)) return true;
  const shape = shapeAt(kind?.shape, about.path);
  const former = valueAt(shape, about.before as Json, path.slice(about.path.length));
  return !(isSecret(former) && sourcesIn(former.$secret).includes(source));
}
