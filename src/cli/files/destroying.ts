// `--destroy`: for files that declare nothing because everything that they declared should be
// deleted.
import { quoted } from '../../model/text/visible.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import { counted } from '../../report/text/summary.ts';
import { EXIT } from '../exitCodes.ts';
import type { PlanFlags } from '../flags/flags.ts';
import { Stop } from '../stop.ts';

/** The flag of `plan` and `apply`. With `apply`, its value may be the number of objects that are deleted. */
export interface DestroyFlag {
  readonly destroy?: true | number;
}

/**
 * Throws a `Stop` if the flag is given without `--prune removed`. Other modes would delete no
 * objects, or other objects too.
 */
export function refuseDestroyWithout({
  prune,
  destroy,
}: Pick<PlanFlags, 'prune'> & DestroyFlag): void {
  if (destroy === undefined || prune === 'removed') return;
  const message = '`--destroy` deletes what the base declared, and needs `--prune removed`';
  throw new Stop(EXIT.usage, message, 'add --prune removed --base with the last applied state');
}

/** Throws a `Stop` if the flag is given for files that declare objects. */
export function refuseDestroyOf({
  desired,
  folder,
}: Pick<DesiredState, 'desired' | 'folder'>): void {
  if (desired.length === 0) return;
  throw new Stop(
    EXIT.usage,
    `\`--destroy\` is for files that declare nothing, and ${quoted(folder)} declares ${counted(desired.length, 'object')}`,
    'remove the declarations first, or leave out --destroy to delete only what you removed',
  );
}
