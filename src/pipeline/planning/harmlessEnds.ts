// A plan of ends alone without the ends that would give access: no end holds another one.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';

/** The ends that a plan does not carry out, and the receiver of those that would give access. */
interface EndsToPlan {
  readonly heldEnds: ReadonlySet<string>;
  readonly onGivingEnds: (objects: readonly string[]) => void;
}

/**
 * Plans ends alone, and again without those that would give access until no end of the plan does. Warnings name the ends that
 * stay. If an end gives access and no object can be named for it, the errors stay.
 */
export async function planOfHarmlessEnds(
  planned: (ends: EndsToPlan) => Promise<Plan>,
): Promise<Plan> {
  const held = new Set<string>();
  let warnings: readonly Diagnostic[] = [];
  for (;;) {
    let giving: readonly string[] = [];
    const onGivingEnds = (objects: readonly string[]) => {
      giving = objects;
    };
    const plan = await planned({ heldEnds: held, onGivingEnds });
    if (giving.every(object => held.has(object)))
      return { ...plan, diagnostics: [...warnings, ...plan.diagnostics] };
    for (const object of giving) held.add(object);
    const more = plan.diagnostics.flatMap((one): Diagnostic[] =>
      one.code === 'END_GIVES_ACCESS' ? [{ ...one, severity: 'warning' }] : [],
    );
    warnings = [...warnings, ...more];
  }
}
