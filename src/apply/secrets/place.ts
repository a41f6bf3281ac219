// Places for secrets that the server shows once. If a place cannot store them, the apply is refused before any write.
import type { KindTable } from '../../kinds/kind.ts';
import type { Plan } from '../../model/plan.ts';
import { isRefusal, type PlaceRefusal } from '../refusal.ts';
import type { KeepSecret } from '../run/port.ts';
import type { AwaitedSecret } from './awaitedSecret.ts';
import type { PlaceHost } from './placeHost.ts';
import { toCommand } from './toCommand.ts';
import { toFile } from './toFile.ts';
import { toGithub } from './toGithub.ts';
import { toGitlab } from './toGitlab.ts';

/** Prepares a place for the awaited secrets, or returns a refusal. */
export type SecretPlace = (
  awaited: readonly AwaitedSecret[],
) => Promise<KeepSecret | PlaceRefusal> | KeepSecret | PlaceRefusal;

/** The built-in places. */
export type PlaceChoice =
  | { readonly to: 'file'; readonly path: string }
  | { readonly to: 'exec'; readonly command: string }
  | { readonly to: 'github'; readonly as: 'output' | 'env' }
  | { readonly to: 'gitlab'; readonly path: string };

/** Returns the chosen place. */
export function secretPlace(choice: PlaceChoice, host: PlaceHost): SecretPlace {
  switch (choice.to) {
    case 'file':
      return () => toFile(choice.path, host);
    case 'exec':
      return () => toCommand(choice.command, host);
    case 'github':
      return awaited => toGithub(choice.as, awaited, host);
    case 'gitlab':
      return awaited => toGitlab(choice.path, awaited, host);
  }
}

/** The one-time secrets that a plan will reveal. */
export function awaitedSecrets({ actions }: Plan, kinds: KindTable): AwaitedSecret[] {
  return actions.flatMap(({ verb, kind, address }) => {
    const field = kinds.get(kind)?.oneTimeSecret;
    return verb === 'create' && field !== undefined ? [{ address, field }] : [];
  });
}

/** Prepares a place; undefined if the plan reveals no secret. */
export async function openPlace(
  place: SecretPlace | undefined,
  awaited: readonly AwaitedSecret[],
): Promise<KeepSecret | PlaceRefusal | undefined> {
  if (place === undefined || awaited.length === 0) return undefined;
  const keep = await place(awaited);
  return isRefusal(keep) ? keep : oneAtATime(keep);
}

// Concurrent lines could be mixed, and a command may not support concurrent runs of itself.
function oneAtATime(keep: KeepSecret): KeepSecret {
  let last: Promise<unknown> = Promise.resolve();
  return secret => {
    const mine = last.then(() => keep(secret));
    last = mine;
    return mine;
  };
}
