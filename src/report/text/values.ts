// Values as a plan shows them. Secrets are never shown; for some secrets, the host is shown.
import type { Shape } from '../../kinds/kind.ts';
import { isEmpty } from '../../kinds/values/canonical.ts';
import { isHosted } from '../../model/secrets/hostedSecret.ts';
import { isSecret } from '../../model/secrets/secret.ts';
import { SECRET_HOST } from '../../model/secrets/secretHost.ts';
import type { Shown } from '../../model/secrets/shown.ts';
import { jsonString, nameText } from '../../model/text/visible.ts';
import { isList, isObject, type Path } from '../../model/value.ts';
import { type ListLimit, moreText, shownList } from './longList.ts';

/** A value on one line; without a limit, its lists are complete. */
export function valueText(shape: Shape | undefined, value: Shown, limit?: ListLimit): string {
  if (isHosted(value)) return hostText(value.$host);
  if (isSecret(value)) return '(secret)';
  if (typeof value === 'string') return jsonString(value);
  if (isList(value)) return listText(shape, value, limit);
  if (isObject(value)) {
    const fields = Object.entries(value).filter(([, item]) => !isEmpty(item));
    const parts = fields.map(
      ([name, item]) => `${nameText(name)}: ${valueText(innerShape(shape, name), item, limit)}`,
    );
    return `{ ${parts.join(', ')} }`;
  }
  return String(value);
}

function listText(
  shape: Shape | undefined,
  values: readonly Shown[],
  limit: ListLimit | undefined,
): string {
  const items = shape?.type === 'list' ? shape.items : undefined;
  const textOf = (value: Shown) => valueText(items, value, limit);
  const { texts, more } = shownList(items, values, textOf, limit);
  return `[${[...texts, ...(more > 0 ? [moreText(more)] : [])].join(', ')}]`;
}

const hostText = (host: string): string =>
  host === SECRET_HOST ? '(secret)' : `${jsonString(host)} (the rest is a secret)`;

/** The shape of the part of a value that is called `name`: a field, an entry of a map, or an item of a keyed list. */
export function innerShape(shape: Shape | undefined, name: string): Shape | undefined {
  if (shape?.type === 'object') return shape.fields.get(name)?.shape;
  if (shape?.type === 'dict') return shape.values;
  return shape?.type === 'list' ? shape.items : undefined;
}

/** The shape that a path leads to; undefined if it leads to no known shape. */
export function shapeAt(shape: Shape, path: Path): Shape | undefined {
  return path.reduce<Shape | undefined>((inner, step) => innerShape(inner, step), shape);
}

/** A value without its secrets, for documents that other people read. Hosts are kept if they may be shown. */
export function withoutSecrets(shape: Shape | undefined, value: Shown): Shown {
  if (isHosted(value) && value.$host !== SECRET_HOST) return value.$host;
  if (isSecret(value)) return null;
  if (isList(value)) {
    return value.map(item =>
      withoutSecrets(shape?.type === 'list' ? shape.items : undefined, item),
    );
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      withoutSecrets(innerShape(shape, name), item),
    ]),
  );
}

/** A tree of the same form with `true` for each hidden value, as in OpenTofu's JSON; false if nothing is hidden. */
export function sensitiveParts(shape: Shape | undefined, value: Shown): Shown {
  if (isSecret(value)) return true;
  if (isList(value)) {
    const items = value.map(item =>
      sensitiveParts(shape?.type === 'list' ? shape.items : undefined, item),
    );
    return items.some(Boolean) ? items : false;
  }
  if (!isObject(value)) return false;
  const parts = Object.entries(value).flatMap(([name, item]): [string, Shown][] => {
    const part = sensitiveParts(innerShape(shape, name), item);
    return part === false ? [] : [[name, part]];
  });
  return parts.length > 0 ? Object.fromEntries(parts) : false;
}
