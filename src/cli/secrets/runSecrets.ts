// Everything about secrets that carrying out a plan needs: where they come from, where they go, what is remembered.
import type { RunOptions } from '../../apply/run/run.ts';
import { type SecretSources, secretOpener } from '../../carryOut.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Plan } from '../../model/plan.ts';
import type { PlanFlags, SourceFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { openFingerprints, rememberedBy } from './fingerprints.ts';
import { awaitedSecrets, openSink } from './sink.ts';
import { secretSources } from './sources.ts';

/** Sources, place and memory for the secrets of a plan. Throws a `Stop` where one of them cannot be used. */
export async function secretsFor(
  plan: Plan,
  kinds: KindTable,
  flags: Pick<PlanFlags, 'secretsTo' | 'fingerprints'> &
    Pick<SourceFlags, 'var'> & { readonly token: string },
  io: Io,
): Promise<{ inputs: SecretSources } & Pick<RunOptions, 'keepSecret' | 'memory' | 'secrets'>> {
  const { var: vars, token } = flags;
  const inputs = secretSources(plan.folder, { vars, token }, io);
  const fingerprints = await openFingerprints(flags.fingerprints, io);
  return {
    inputs,
    secrets: io.secrets,
    keepSecret: await openSink(flags.secretsTo, awaitedSecrets(plan, kinds), io),
    memory: fingerprints && rememberedBy(fingerprints, secretOpener(inputs)),
  };
}
