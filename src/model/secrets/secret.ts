// A secret in the model is the source of its value, never the value itself. So it can be printed, compared and stored.
import { isList, isObject, type Json, type JsonObject, type Path } from '../value.ts';

/** A write-only value: a text whose `${env:…}`, `${file:…}` and `${sops:…}` parts are filled in just before it is sent. */
export interface Secret extends JsonObject {
  readonly $secret: string;
}

/** A secret, and its path in an object. */
export interface SecretAtPath {
  readonly path: Path;
  readonly secret: Secret;
}

/** A secret whose value is filled in from `template` when it is sent. */
export function secretFrom(template: string): Secret {
  return { $secret: template };
}

/** Whether a value is a secret. */
export function isSecret(value: Json | undefined): value is Secret {
  return isObject(value) && typeof value.$secret === 'string';
}

/** Whether a value is or contains a secret without a known source. */
export function holdsUnknownSecret(value: Json): boolean {
  return secretsIn(value).some(({ secret }) => secret.$secret === '');
}

/** The secrets in the value at `path`, in their written order. */
export function secretsIn(value: Json, path: Path = []): SecretAtPath[] {
  if (isSecret(value)) return [{ path, secret: value }];
  if (isList(value)) return value.flatMap((item, i) => secretsIn(item, [...path, String(i)]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => secretsIn(item, [...path, name]));
}
