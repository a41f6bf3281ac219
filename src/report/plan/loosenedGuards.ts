// The guards that the files of a plan loosen, with the places where they were declared.
import { placeText } from '../../model/diagnostic.ts';
import { loosenedText } from '../../model/guards.ts';
import type { Plan } from '../../model/plan.ts';

/** A line for each loosened guard: `protect group/engineers is removed (HEAD~1:net/meshform.yaml:3:5): still counts`. */
export function loosenedLines({ loosened = [] }: Pick<Plan, 'loosened'>): readonly string[] {
  return loosened.map(guard => {
    const place = guard.at === undefined ? '' : ` (${placeText(guard.at)})`;
    const verdict = guard.allowed_by === undefined ? 'still counts' : 'removed by --allow';
    return `${loosenedText(guard)}${place}: ${verdict}`;
  });
}

/** The title of these lines. */
export const LOOSENED_TITLE = 'Loosened guards';
