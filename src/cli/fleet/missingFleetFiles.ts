// Finds open rollouts whose fleet file is not in the checkout. A rollout is found by the path of
// its fleet file. Without this search, the rollout of a renamed file would be overlooked.
import { join } from 'node:path';
import type { Ledger } from '../../model/rollout.ts';
import { isThere } from '../../read/files/isThere.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { tellAsNote } from '../otherRemotes.ts';
import { sentenceOfMissingFile } from '../refusals/rolloutRefusals.ts';
import { Stop } from '../stop.ts';
import type { FleetFile } from './fleetFiles.ts';

/** The ledgers whose fleet file is not in the checkout of the given fleet file. */
export function withoutFile(
  ledgers: readonly Ledger[],
  { file }: Pick<FleetFile, 'file'>,
): readonly Ledger[] {
  const root = repositoryOf(folderOf(file))?.root;
  return root === undefined ? [] : ledgers.filter(({ fleet }) => !isThere(join(root, fleet)));
}

/**
 * Prints a note about an open rollout whose fleet file is missing, and how to continue the rollout.
 */
export function tellMissingFile(ledger: Ledger, io: Io, isQueued?: boolean): void {
  const [message, hint] = sentenceOfMissingFile(ledger, isQueued);
  tellAsNote(new Stop(EXIT.refused, message, hint), io);
}
