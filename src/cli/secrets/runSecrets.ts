// Everything about secrets that carrying out a plan needs: where they come from, where they go, what is remembered.
import { resolve } from 'node:path';
import { type SecretSources, secretOpener } from '../../carryOut.ts';
import type { RunOptions } from '../../execute/run.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Plan } from '../../model/plan.ts';
import { fileInputs } from '../../read/inputs.ts';
import { sopsFiles } from '../../read/sops.ts';
import type { PlanFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { openFingerprints, rememberedBy } from './fingerprints.ts';
import { awaitedSecrets, openSink } from './sink.ts';

/** What the secrets of the files in `folder` are filled from. */
export function secretSources(folder: string, io: Io): SecretSources {
  const home = resolve(io.cwd, folder);
  return {
    env: name => io.env[name],
    file: fileInputs(home),
    decrypt: sopsFiles(home, io.env),
    onSecret: value => io.secrets.add(value),
  };
}

/** Sources, place and memory for the secrets of a plan. Throws a `Stop` where one of them cannot be used. */
export async function secretsFor(
  plan: Plan,
  kinds: KindTable,
  flags: Pick<PlanFlags, 'secretsTo' | 'fingerprints'>,
  io: Io,
): Promise<{ inputs: SecretSources } & Pick<RunOptions, 'keepSecret' | 'memory' | 'secrets'>> {
  const inputs = secretSources(plan.folder, io);
  const fingerprints = await openFingerprints(flags.fingerprints, io);
  return {
    inputs,
    secrets: io.secrets,
    keepSecret: await openSink(flags.secretsTo, awaitedSecrets(plan, kinds), io),
    memory: fingerprints && rememberedBy(fingerprints, secretOpener(inputs)),
  };
}
