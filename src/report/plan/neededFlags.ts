// The flags that an apply needs to continue.
import { hazardsWithReason } from '../../model/access/accessFindings.ts';
import type { HazardCode } from '../../model/codes.ts';
import type { Plan } from '../../model/plan.ts';
import { shellWord } from '../../model/text/shellWord.ts';

/** Hazards that another flag removes, so that `--allow` is not needed. */
const INSTEAD: { readonly [code in HazardCode]?: string } = {
  REVEALS_SECRET: '--secrets-to file:PATH',
  CONFLICT: '--resolve desired|live',
};

/** A hazard, and the guarded target for which it is accepted. */
interface NeededFor {
  readonly code: HazardCode;
  readonly target?: string;
}

/** The flags that accept hazards, each once. If another flag removes a hazard, that flag is used instead of `--allow`. */
export function neededFlags(hazards: Iterable<NeededFor>): string[] {
  const flags = [...hazards].map(({ code, target }) =>
    target === undefined
      ? (INSTEAD[code] ?? `--allow ${code}`)
      : `--allow ${shellWord(`${code}=${target}`)}`,
  );
  return [...new Set(flags)];
}

/** A hazard as it is shown. */
export interface ShownHazard extends NeededFor {
  readonly message: string;
  readonly allowed: boolean;
  /** Why the hazard cannot be judged; absent if it can. */
  readonly unread?: string;
}

/** All hazards of a plan: of its actions, and of its access as a whole. */
export function hazardsOf({ actions, gates }: Plan): readonly ShownHazard[] {
  return [
    ...actions.flatMap(({ hazards }) => hazards),
    ...hazardsWithReason(gates?.findings ?? []),
  ];
}
