// Secrets that move to a different name, such as a different header. The change removes one name
// and adds another, and both have the same source.
import isEqual from 'fast-deep-equal';
import type { Kind } from '../../kinds/kind.ts';
import { valueAt } from '../../kinds/values/items.ts';
import { pathText } from '../../kinds/values/pathText.ts';
import type { FieldChange } from '../../model/change.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Fields, Json, Path } from '../../model/value.ts';

/**
 * A note for each secret that an update moves to a different name. Only the base contains the
 * source of the secret in the account.
 */
export function renamedSecrets(
  { shape }: Kind,
  fields: readonly FieldChange[],
  base: Fields | undefined,
): readonly string[] {
  if (base === undefined) return [];
  const removed = fields.flatMap(change =>
    change.type === 'value' && change.after === undefined
      ? placed(change.path, valueAt(shape, base, change.path))
      : [],
  );
  const added = fields.flatMap(change =>
    change.type === 'value' && change.before === undefined ? placed(change.path, change.after) : [],
  );
  return added.flatMap(({ path, secrets }) => {
    const same = (one: Placed) => isEqual(one.path.slice(0, -1), path.slice(0, -1));
    const former = removed.filter(one => same(one) && isEqual(one.secrets, secrets));
    const others = added.filter(one => same(one) && isEqual(one.secrets, secrets));
    const [own] = former;
    // If there are several candidates, it is unknown which one has the new name.
    if (own === undefined || former.length + others.length > 2) return [];
    const [was, is] = [own.path, path].map(at => quoted(pathText(shape, at)));
    return [`${was} is renamed to ${is}: its secret has the same source as before`];
  });
}

interface Placed {
  readonly path: Path;
  readonly secrets: ReturnType<typeof secretsIn>;
}

function placed(path: Path, value: Json | undefined): readonly Placed[] {
  const secrets = secretsIn(value ?? null);
  return secrets.length === 0 ? [] : [{ path, secrets }];
}
