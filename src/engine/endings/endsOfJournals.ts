// What has ended according to the journals alone.
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import { shortRun } from '../../model/runName.ts';
import { pairObjects } from '../pairing/pairObjects.ts';
import { type EndOfJournal, endsOfJournals } from '../pruning/endsOfJournals.ts';
import { type PlanInput, partedInput, runOf } from '../scope/planInput.ts';
import type { WithEnded } from './removedMembers.ts';

/**
 * What ended before `now`, in milliseconds, according to the journals alone. It has the form of
 * declarations in files.
 */
export function endedByJournals(written: PlanInput, now: number): readonly WithEnded[] {
  const { kinds, snapshot, meant, recordedIds, withEnds = [] } = written;
  if (withEnds.length === 0) return [];
  const input = partedInput(written);
  const { paired, isMarkedForDeletion } = runOf(input);
  const { unpaired } = pairObjects(
    { kinds, desired: paired, live: snapshot.objects, base: input.base },
    { isMarkedForDeletion, meant, recordedIds },
  );
  const declared = new Set(
    [...input.desired, ...input.base, ...written.desired].map(one => addressOf(one.kind, one.key)),
  );
  return endsOfJournals(unpaired, written)
    .filter(({ made, until }) => until <= now && !declared.has(addressOf(made.kind, made.key)))
    .map(one => asDeclared(one, written));
}

// The declaration has the name from the journal. An object that somebody renamed stays and is
// reported.
function asDeclared(
  { live, made: { kind, key, run, until: text = '' }, until }: EndOfJournal,
  { kinds, snapshot }: PlanInput,
): WithEnded {
  const at = { file: `the apply ${shortRun(run)}`, line: 1, column: 1 };
  const { fields, parentId } = live;
  const above = kinds.get(kind)?.parent;
  const home = snapshot.objects.find(one => one.kind === above && one.id === parentId);
  const desired: Desired = {
    kind,
    key,
    ...(home && { parent: home.key }),
    fields,
    lifecycle: { until: text, delete: true },
    isGrant: true,
    ended: { isWhole: true, fields, members: [] },
    at,
    spans: {},
  };
  return { desired, endings: [{ kind, key, until, at }] };
}
