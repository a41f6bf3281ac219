// Reports what a plan would adopt, for a first look at an account that others have made.
import { readTransport, type TransportOptions } from '../api/transport.ts';
import { adoptionFor, type DesiredState, type Toolbox } from '../pipeline.ts';
import { adoptionDocument, adoptionText } from '../report/adoptionText.ts';
import { styleFor } from './colour.ts';
import type { AccountFlags } from './flags.ts';
import type { Io } from './io.ts';
import { progressOn } from './progress.ts';
import { jsonText } from './render.ts';

/** The report on `state`, as text or as a JSON document. */
export async function adoptionReport(
  tools: Toolbox,
  state: DesiredState,
  connection: TransportOptions,
  flags: AccountFlags & { readonly format: string },
  io: Io,
): Promise<string> {
  const progress = progressOn(io);
  const adoption = await adoptionFor(tools, state, readTransport(connection), {
    dialect: flags.dialect ?? state.project.dialect ?? 'spec',
    now: io.now(),
    concurrency: flags.concurrency,
    onProgress: progress.fetching,
    onHidden: value => io.secrets.add(value),
  }).finally(progress.clear);
  return flags.format === 'json'
    ? jsonText(adoptionDocument(adoption, tools.kinds))
    : adoptionText(adoption, tools.kinds, styleFor(io.stdout, io));
}
