// A secret in the model is where its value comes from, never the value: it can be printed, compared and stored.
import { isObject, type Json, type JsonObject } from './value.ts';

/** A write-only value: a text whose `${env:…}` and `${file:…}` parts are filled in just before it is sent. */
export interface Secret extends JsonObject {
  readonly $secret: string;
}

/** A secret that is filled from `template` when it is sent. */
export function secretFrom(template: string): Secret {
  return { $secret: template };
}

/** Whether a value is a secret. */
export function isSecret(value: Json | undefined): value is Secret {
  return isObject(value) && typeof value.$secret === 'string';
}
