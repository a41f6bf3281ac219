// The built-in places for secrets. A new place is a file that exports a `PlaceKind`, and an entry here.

import type { KeepSecret } from '../port.ts';
import type { PlaceRefusal } from '../refusal.ts';
import type { AwaitedSecret } from './awaitedSecret.ts';
import type { PlaceHost } from './placeHost.ts';
import type { PlaceKind } from './placeKind.ts';
import { toCommand } from './toCommand.ts';
import { toFile } from './toFile.ts';
import { toGithub } from './toGithub.ts';
import { toGitlab } from './toGitlab.ts';

const BUILT_IN = { file: toFile, exec: toCommand, github: toGithub, gitlab: toGitlab };

type PlaceName = keyof typeof BUILT_IN;
type Choices = {
  readonly [To in PlaceName]: (typeof BUILT_IN)[To] extends PlaceKind<infer Own> ? Own : never;
};

const PLACES: { readonly [To in PlaceName]: PlaceKind<Choices[To]> } = BUILT_IN;

/** A built-in place with its settings. */
export type PlaceChoice = Choices[PlaceName];

/**
 * Prepares a place for secrets, or returns a refusal. `state` contains the paths of the desired state, in which no secrets may be
 * stored.
 */
export type SecretPlace = (
  awaited: readonly AwaitedSecret[],
  state?: readonly string[],
) => Promise<KeepSecret | PlaceRefusal> | KeepSecret | PlaceRefusal;

/** Returns the chosen place. */
export function secretPlace<To extends PlaceName>(
  choice: { readonly to: To } & Choices[To],
  host: PlaceHost,
): SecretPlace {
  const { open } = PLACES[choice.to];
  return (awaited, state = []) => open(choice, awaited, host, state);
}

/** The text forms of all places, for messages. */
export const PLACE_FORMS: readonly string[] = Object.values(BUILT_IN).flatMap(({ forms }) => forms);

/** Parses the text form of a place; null if it is not valid. */
export function placeChoice(text: string): PlaceChoice | null {
  const [, name = '', settings] = /^(\w+)(?::(.*))?$/s.exec(text) ?? [];
  return isPlaceName(name) ? BUILT_IN[name].parse(settings) : null;
}

const isPlaceName = (name: string): name is PlaceName => Object.hasOwn(BUILT_IN, name);
