// The secrets in the files, as a plan document refers to them. The positions that an apply reads are stored separately, because
// they change even if declarations only move.
import type { Change } from '../../model/change.ts';
import { type HostedSecret, isHosted } from '../../model/secrets/hostedSecret.ts';
import { isSecret } from '../../model/secrets/secret.ts';
import { isList, isObject, type Json } from '../../model/value.ts';

/** Where the files have the secrets of an object. In the document, a secret refers to its position by number. */
export type YamlPositions = readonly string[];

const POSITION = /^\$\{yaml:.*#.*\}$/s;
const NUMBER = /^\$\{yaml:(\d+)\}$/;

/** The positions that a change refers to, in the order of its final value. */
export function yamlPositions({ after, fields }: Pick<Change, 'after' | 'fields'>): YamlPositions {
  const positions = new Set<string>();
  const collect = ({ $secret }: HostedSecret) => {
    if (POSITION.test($secret)) positions.add($secret);
    return $secret;
  };
  mapSources(after ?? null, collect);
  for (const field of fields)
    if (field.type === 'value') mapSources(field.after ?? null, collect);
    else mapSources([...field.kept, ...field.added], collect);
  return [...positions];
}

/** A value with numbers in place of positions. */
export function withNumbers(value: Json, positions: YamlPositions): Json {
  return positions.length === 0
    ? value
    : mapSources(value, ({ $secret }) => {
        const index = positions.indexOf($secret);
        return index < 0 ? $secret : `\${yaml:${index + 1}}`;
      });
}

/** A value with positions restored from numbers. */
export function withPositions(value: Json, positions: YamlPositions): Json {
  return positions.length === 0
    ? value
    : mapSources(value, ({ $secret }) => {
        const [, number] = NUMBER.exec($secret) ?? [];
        return positions[Number(number) - 1] ?? $secret;
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
