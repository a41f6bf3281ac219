// Finds the variables that contain the secrets of a plan, before the secrets are decrypted.
// Programs that start earlier, such as git, must not get these variables.
import type { Plan } from '../../model/plan.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import { variableIn } from '../../read/environment.ts';
import { referencesIn } from '../../source/values/reference.ts';
import type { ApplyHost } from '../host.ts';
import type { ApplySecrets } from '../request.ts';

/** Adds the values of these variables to the known secrets of the run. */
export function tellPlanVariables(
  { actions }: Plan,
  { env }: Pick<ApplyHost, 'env'>,
  { known }: Pick<ApplySecrets, 'known'>,
): void {
  const secrets = actions.flatMap(action =>
    action.verb === 'delete' ? [] : secretsIn(action.fields),
  );
  for (const { secret } of secrets)
    for (const { source, name } of referencesIn(secret.$secret))
      if (source === 'env') known?.add(variableIn(env, name) ?? '');
}
