// Secrets that are written in the files, in a plan document: where each stands is apart from all else, because it is
// another place when declarations only change theirs.
import type { Change } from '../../model/change.ts';
import { type HostedSecret, isHosted } from '../../model/secrets/hostedSecret.ts';
import { isSecret } from '../../model/secrets/secret.ts';
import { isList, isObject, type Json } from '../../model/value.ts';

/** The places in the files of one object's secrets. In the document a secret has the number of its place. */
export type YamlPlaces = readonly string[];

const PLACE = /^\$\{yaml:.*#.*\}$/s;
const NUMBER = /^\$\{yaml:(\d+)\}$/;

/** The places that a change speaks of, in the order of what it comes to. */
export function yamlPlaces({ after, fields }: Pick<Change, 'after' | 'fields'>): YamlPlaces {
  const places = new Set<string>();
  const collect = ({ $secret }: HostedSecret) => {
    if (PLACE.test($secret)) places.add($secret);
    return $secret;
  };
  mapSources(after ?? null, collect);
  for (const field of fields)
    if (field.type === 'value') mapSources(field.after ?? null, collect);
    else mapSources([...field.kept, ...field.added], collect);
  return [...places];
}

/** A value with the numbers of places in their stead. */
export function withNumbers(value: Json, places: YamlPlaces): Json {
  return places.length === 0
    ? value
    : mapSources(value, ({ $secret }) => {
        const index = places.indexOf($secret);
        return index < 0 ? $secret : `\${yaml:${index + 1}}`;
      });
}

/** A value with the places that its numbers stand for. */
export function withPlaces(value: Json, places: YamlPlaces): Json {
  return places.length === 0
    ? value
    : mapSources(value, ({ $secret }) => {
        const [, number] = NUMBER.exec($secret) ?? [];
        return places[Number(number) - 1] ?? $secret;
      });
}

function mapSources(value: Json, sourceOf: (secret: HostedSecret) => string): Json {
  if (isHosted(value)) return { ...value, $secret: sourceOf(value) };
  if (isSecret(value)) return value;
  if (isList(value)) return value.map(item => mapSources(item, sourceOf));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapSources(item, sourceOf)]),
  );
}
