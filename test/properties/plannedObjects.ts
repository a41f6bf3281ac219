// Generated objects with what a plan says to write, taken at its word.
import { parse } from 'yaml';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { Desired, Lifecycle } from '../../src/model/object.ts';

/** How often a plan may find another object whose name is taken in another parent. */
export const ROUNDS = 4;

/** The objects with the lifecycle that a finding gives to each whose name an object in another parent has. */
export function asPlanned(
  desired: readonly Desired[],
  diagnostics: readonly Diagnostic[],
): readonly Desired[] {
  const lifecycles = new Map(
    diagnostics
      .filter(({ code }) => code === 'OBJECT_IN_THE_WAY')
      .flatMap(({ at, hint = '', message }) => {
        // Of the two that it offers, what says that only this object has moved.
        const [, own] = message.match(/while \w+(\[".*"\]|\.\S+) exists/) ?? [];
        const was = own?.startsWith('[') ? JSON.parse(own)[0] : own?.slice(1);
        if (hint.includes('at the network') && was !== undefined)
          return [[at, { was } satisfies Lifecycle] as const];
        const [, text] = hint.match(/`(lifecycle: \{ was: .* \})`/) ?? [];
        const lifecycle: Lifecycle | undefined = text && parse(text).lifecycle;
        return lifecycle ? [[at, lifecycle] as const] : [];
      }),
  );
  return desired.map(object => {
    const lifecycle = lifecycles.get(object.at);
    return lifecycle ? { ...object, lifecycle } : object;
  });
}
