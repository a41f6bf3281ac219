// Runs `access used`: shows which access was used, according to the observed flows.
import { rulesOfSelector } from '../../access/admitted/rulesOfSelector.ts';
import { selectorOf } from '../../access/ask/selector.ts';
import { selectorNames } from '../../access/ask/selectorNames.ts';
import { didYouMeanSelector } from '../../access/ask/suggestedNames.ts';
import type { AccessState } from '../../access/state/accessState.ts';
import { worldOf } from '../../access/world/world.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { quoted } from '../../model/text/visible.ts';
import { usedAccessDocument } from '../../report/usage/usedAccessDocument.ts';
import { usedAccessCsv, usedAccessText } from '../../report/usage/usedAccessText.ts';
import { attribute } from '../../usage/attribution/attributedFlows.ts';
import { usedAccess } from '../../usage/used/usedAccess.ts';
import { ofFiles, refuseOtherAccount } from '../access/otherAccount.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import type { StoreFlags } from '../flags/storeFlags.ts';
import type { Io } from '../io.ts';
import { projectOrStop } from '../project.ts';
import { Stop } from '../stop.ts';
import { observedFrom } from './observedFrom.ts';

export interface UsedFlags extends StoreFlags {
  readonly format: string;
  readonly live?: boolean;
  readonly state?: string;
  readonly html?: string;
  readonly why?: boolean;
}

const USAGE = 'access used [SELECTOR...] --store DIR [--since 30d]';

/** Shows which part of the access was used; returns the exit code. */
export async function showUsedAccess(
  selectors: readonly string[],
  flags: UsedFlags,
  io: Io,
): Promise<number> {
  const { format, live, state, html, why } = flags;
  if (flags.store === undefined)
    throw new Stop(EXIT.usage, '`access used` has no store of observed traffic', USAGE);
  const isOther = live || state !== undefined || html !== undefined || why === true;
  if (isOther || !['text', 'json', 'csv'].includes(format))
    throw new Stop(
      EXIT.usage,
      '`access used` has the formats text, json and csv, and no other flags of `access`',
      USAGE,
    );
  const observed = await observedFrom(flags, io);
  if (observed === undefined) throw new Stop(EXIT.usage, 'no store', USAGE);
  refuseOtherAccount(observed, ofFiles(projectOrStop(io)));
  const attribution = attribute(observed);
  const concerned =
    selectors.length === 0 ? undefined : concernedIn(selectors, attribution.current);
  const used = usedAccess(attribution, concerned);
  if (format === 'json') io.stdout.write(jsonText(usedAccessDocument(used)));
  else if (format === 'csv') io.stdout.write(usedAccessCsv(used));
  else io.stdout.write(usedAccessText(used, styleFor(io.stdout, io)));
  return EXIT.done;
}

function concernedIn(selectors: readonly string[], state: AccessState) {
  const world = worldOf(state);
  const all = selectors.map(text => {
    const selector = selectorOf(text);
    if ('fault' in selector) throw new Stop(EXIT.usage, selector.fault, USAGE);
    const found = rulesOfSelector(world, selector);
    if (found !== undefined) return found;
    const hint = didYouMeanSelector(text, selectorNames(state)) ?? USAGE;
    throw new Stop(EXIT.invalid, `${quoted(text)} matches nothing in the observed account`, hint);
  });
  return {
    rules: new Set(all.flatMap(({ rules }) => [...rules])),
    routes: new Set(all.flatMap(({ routes }) => [...routes])),
  };
}
